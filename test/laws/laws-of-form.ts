import type { Checklist } from '../../src/declarations/checklist.ts';
import { digestOf } from '../../src/events/digest.ts';
import type { Json } from '../../src/events/json.ts';
import type { RunInput } from '../../src/gate/types.ts';
import { checklistOf } from '../checklists.ts';
import { copyOf, judged, type Law, must, statesOf } from './law.ts';

/** The run with one more checklist. */
function beside(run: RunInput, body: Checklist): RunInput {
  return { ...run, checklists: [...run.checklists, { digest: digestOf(body), body }] };
}

const goes = (kind: string): boolean => kind === 'executable' || kind === 'schedulable';

const REQUIRED = ['/note', '/from', '/card/id', '/lines/*/id', '/day', '/express', '/nowhere'] as const;

/** What was found, where the value itself stands nowhere. */
const UNREAD = ['computed', 'fixed_by_schema', 'declined'];

/** Laws of what a verdict says of itself. */
export const FORM_LAWS: readonly Law[] = [
  {
    id: 13,
    title: 'Making a slot required, or adding one, never moves a verdict towards executable',
    runs: 40,
    check: (world) => {
      const { verdict } = judged(world);
      if (goes(verdict.kind)) return;
      for (const pattern of REQUIRED) {
        const slot = {
          reader: 'text',
          select: 'single' as const,
          measured: [],
          named_by: [],
          phrases: {},
          required: true,
          pending_at_trigger: false,
        };
        const body = checklistOf({
          checklist: 'law/required',
          declared_by: 'provider',
          tools: {
            send: { slots_from_proposal: false, slots: { [pattern]: slot }, conditions: {}, ungated: {} },
          },
        });
        const more = judged(world, beside(world.run, body)).verdict;
        must(!goes(more.kind), () => ({ pattern, verdict, more }));
      }
    },
  },
  {
    id: 21,
    title: 'A value that stands nowhere is never known',
    runs: 120,
    check: (world) => {
      const proposed = world.run.proposal?.prepared;
      if (proposed == null || !('plain' in proposed)) return;
      const args = proposed.plain as Record<string, Json>;
      for (const [name, value] of Object.entries(args)) {
        if (typeof value === 'object') continue;
        const invented = typeof value === 'number' ? 987_654 : 'ZQ-77-NOWHERE';
        const plain = { ...copyOf(args), [name]: invented };
        const run = { ...world.run, proposal: { received: null, prepared: { plain } } };
        const state = statesOf(judged(world, run).verdict).get(`/${name}`);
        must(state?.state !== 'known' || UNREAD.includes(state.reason), () => ({ invented, state }));
      }
    },
  },
  {
    id: 22,
    title: 'The count is the number of unknown slots, each once, and what is unmet is not in it',
    runs: 120,
    check: (world) => {
      const { verdict } = judged(world);
      if (verdict.slots === null) return;
      const ids = verdict.slots.map(({ slot }) => slot);
      must(new Set(ids).size === ids.length, () => ids);
      const unknown = verdict.slots.filter(({ state }) => state === 'unknown').map(({ slot }) => slot);
      must(verdict.unknown_count === unknown.length, () => verdict);
      must(!verdict.unmet.some(({ slot }) => unknown.includes(slot)), () => verdict);
      must(!verdict.not_run.some(({ slot }) => ids.includes(slot)), () => verdict);
    },
  },
  {
    id: 23,
    title: 'A count that is null never reads as executable, and an executable verdict has nothing open',
    runs: 120,
    check: (world) => {
      const { verdict } = judged(world);
      must((verdict.unknown_count === null) === (verdict.slots === null), () => verdict);
      if (verdict.kind !== 'executable') return;
      must(verdict.unknown_count === 0 && verdict.unmet.length === 0, () => verdict);
      must(verdict.phase === 'at_trigger' && verdict.next_attempt === null, () => verdict);
      must(
        verdict.intent.every(({ state }) => state === 'known'),
        () => verdict,
      );
    },
  },
];
