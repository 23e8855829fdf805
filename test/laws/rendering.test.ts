import { expect, test } from 'vitest';
import { decisionOf } from '../../src/compat/decision.ts';
import { renderRecord, SkeletonRecord } from '../../src/compat/index.ts';
import { encode } from '../../src/events/canonical.ts';
import { isExecutable } from '../../src/projections/verdict-facts.ts';
import { AT } from '../compat/bank.ts';
import { holds } from './holds.ts';
import { judged, must } from './law.ts';
import { worlds } from './worlds.ts';

const beside = { action_key: 'k', resolved_at: AT };

test('rendering: any verdict does, as the schema has it, executed only where it is executable, each blank once', () => {
  const decisions = new Set<string>();
  holds(
    'rendering:',
    worlds,
    (world) => {
      const { verdict } = judged(world);
      const record = renderRecord(world.run, verdict, beside);
      // What is no JSON, such as a member that is undefined, could not be encoded.
      SkeletonRecord.parse(JSON.parse(encode(record)));
      decisions.add(record.execution_decision);
      must((record.execution_decision === 'execute') === isExecutable(verdict), () => record);
      must(record.execution_decision === decisionOf(verdict), () => record);
      must((record.fields ?? null) === null ? verdict.slots === null : verdict.slots !== null, () => record);
      const fields = record.fields ?? [];
      const blanks = fields.filter(({ status }) => status === 'unknown').length;
      must((record.unknown_count ?? 0) === blanks, () => record);
      const { unverified_checklist_count: unverified = null } = record;
      const sum = record.unknown_count === null ? null : blanks + (unverified ?? 0);
      must(unverified === null || sum === verdict.unknown_count, () => record);
      must(new Set(fields.map(({ name }) => name)).size === fields.length, () => record);
      const asked = record.gate?.user_message ?? '';
      must(!asked.includes(world.run.tool.name), () => record);
    },
    400,
  );
  // Worlds that never came out so would have shown nothing.
  expect([...decisions]).toEqual(expect.arrayContaining(['execute', 'ask_user', 'hold']));
});
