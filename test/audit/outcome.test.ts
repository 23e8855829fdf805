import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../src/audit/outcome.ts';
import { parseChecklist } from '../../src/declarations/load.ts';
import type { Segment } from '../../src/events/segment.ts';

const tool = {
  server: 'bank',
  name: 'transfer',
  description: null,
  input_schema: null,
  annotations: null,
} as const;

function run(more = '') {
  const { checklist, digest } = parseChecklist(
    `grounds: 1\nchecklist: bank/policy\ndeclared_by: system\n${more}`,
    'bank.yaml',
  );
  return { checklists: [{ digest, body: checklist }], tool, ruleset: 'standard' } as const;
}

function result(body: string, failed: boolean | null): Segment {
  const observes = { tool: 'transfer', arguments: { plain: {} }, failed, fault: null };
  return { at: null, author: 'tool', typed: false, origin: null, body: { plain: body }, observes };
}

const DECLARED = 'tool_errors: ["Error: "]\n';

describe('how an audited call ended', () => {
  it.each([
    ['as the format says, a failure', '', result('done', true), 'failed'],
    ['as the format says, no failure', '', result('Error: none', false), 'succeeded'],
    ['by the declared look of an error', DECLARED, result('Error: no funds', null), 'failed'],
    ['by its absence', DECLARED, result('done', null), 'succeeded'],
    ['not known where nothing tells a failure', '', result('Error: no funds', null), 'unknown'],
    ['not known without a result', DECLARED, undefined, 'unknown'],
  ] as const)('is %s', (_, more, segment, outcome) => {
    expect(outcomeOf(run(more), segment)).toBe(outcome);
  });
});
