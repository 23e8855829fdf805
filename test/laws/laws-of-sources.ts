import type { Checklist } from '../../src/declarations/checklist.ts';
import { digestOf } from '../../src/events/digest.ts';
import type { Lookup, Outcome } from '../../src/events/lookup.ts';
import type { Segment } from '../../src/events/segment.ts';
import type { SlotState } from '../../src/events/verdict.ts';
import { SOURCES } from '../../src/events/vocabulary.ts';
import type { RunInput } from '../../src/gate/types.ts';
import { answersBut, judged, type Law, must, statesOf } from './law.ts';
import { reachedFrom } from './reach.ts';
import { answerIn } from './worlds.ts';

/**
 * Where laws 7 and 8 need an interpretation: a source that failed (S1), misfitted (B: S5, S9, S12, S15), contradicted itself
 * (S8), or was answered otherwise than proposed (R7b) ends a walk that could have gone on; taking it away may let a later
 * one speak. So may mending a declaration (R4), and a group (R7c) is judged after the walk.
 */
const MISFITS = ['S1', 'S5', 'S8', 'S9', 'S12', 'S15', 'R7b', 'R4', 'R7c'];

function misfitted(state: SlotState | undefined): boolean {
  return state === undefined || MISFITS.includes(state.rule);
}

function withChecklist(run: RunInput, change: (body: Checklist) => Checklist): RunInput {
  return {
    ...run,
    checklists: run.checklists.map(({ body }) => {
      const changed = change(body);
      return { digest: digestOf(changed), body: changed };
    }),
  };
}

function withSegment(run: RunInput, index: number, change: (segment: Segment) => Segment): RunInput {
  return { ...run, segments: run.segments.map((segment, at) => (at === index ? change(segment) : segment)) };
}

/** Laws of sources, lookups and origins. */
export const SOURCE_LAWS: readonly Law[] = [
  {
    id: 7,
    title: 'Removing a source that neither failed nor misfitted never turns unknown into known',
    runs: 30,
    check: (world) => {
      const { verdict } = judged(world);
      const states = statesOf(verdict);
      for (const state of states.values()) {
        if (state.state !== 'unknown' || misfitted(state) || !state.slot.startsWith('/')) continue;
        const pattern = state.slot.replace(/\/[0-9]+(?=\/|$)/g, '/*');
        for (const source of SOURCES) {
          const run = withChecklist(world.run, (body) => {
            const slot = body.tools.send?.slots[pattern];
            if (body.tools.send === undefined || slot === undefined) return body;
            const sources = (slot.sources ?? SOURCES.slice(0, slot.measured.length > 0 ? 4 : 3)).filter(
              (each) => each !== source,
            );
            const slots = { ...body.tools.send.slots, [pattern]: { ...slot, sources } };
            return { ...body, tools: { ...body.tools, send: { ...body.tools.send, slots } } };
          });
          const after = statesOf(judged(world, run).verdict).get(state.slot);
          must(after?.state !== 'known', () => ({ source, before: state, after }));
        }
      }
    },
  },
  {
    id: 8,
    title: 'An absent or failed lookup never improves its slot',
    runs: 40,
    check: (world) => {
      const { verdict, lookups } = judged(world);
      const states = statesOf(verdict);
      for (const lookup of lookups) {
        // What a fact is keyed by may send its question elsewhere: the law is of a slot's own lookups.
        if (!('slot' in lookup.request.subject)) continue;
        const before = states.get(lookup.request.subject.slot);
        if (before === undefined || before.state !== 'unknown') continue;
        const worse: Outcome[] = [{ said: 'failed', code: 'law/failed' }];
        if (!misfitted(before)) worse.push({ said: 'absent' });
        for (const outcome of worse) {
          const answer = answersBut(world, world.run, { ...lookup, outcome });
          const after = statesOf(judged(world, world.run, answer).verdict).get(before.slot);
          must(after === undefined || after.state === 'unknown', () => ({ lookup, outcome, before, after }));
        }
      }
    },
  },
  {
    id: 9,
    title: "An origin is never laundered: through any number of inheritances it is the first place's",
    runs: 60,
    check: (world) => {
      const first = judged(world).verdict;
      let origins = new Map<string, SlotState['declared_by'] | string | null>();
      for (const state of first.slots ?? []) {
        if (state.state !== 'known' || state.place === null) continue;
        const entry = state.place.in === 'entry' ? world.run.entries[state.place.entry] : undefined;
        const item = state.place.in === 'entry' ? Number(state.place.pointer.split('/')[2]) : 0;
        const expected =
          state.reason === 'candidate_confirmed' && entry?.kind === 'answer'
            ? entry.candidate?.origin
            : state.source === 'prior_state' && entry?.kind === 'baseline'
              ? entry.slots[item]?.origin
              : state.source;
        must(state.origin === expected && state.origin !== null, () => ({ state, expected }));
        origins.set(state.slot, state.origin);
      }
      // The next executions rest on the last one's record alone.
      const args = world.run.proposal?.prepared;
      const plain = args != null && 'plain' in args ? (args.plain as Record<string, never>) : {};
      for (let times = 0; times < 2; times++) {
        const slots = [...origins].flatMap(([slot, origin]) => {
          const value = plain[slot.slice(1)];
          return value === undefined ? [] : [{ slot, value: { plain: value }, origin: origin as never }];
        });
        const run: RunInput = {
          ...world.run,
          ruleset: 'inherit',
          entries: [
            ...world.run.entries.filter(({ kind }) => kind === 'trigger'),
            { kind: 'baseline', slots },
          ],
        };
        const next = new Map(origins);
        for (const state of judged(world, run).verdict.slots ?? []) {
          if (state.state !== 'known' || state.source !== 'prior_state') continue;
          // A condition has no place of its own: its origin is that of a value it was run over.
          const own = state.place === null ? [...origins.values()] : [origins.get(state.slot)];
          must(own.includes(state.origin), () => ({ state, origins: [...origins] }));
          next.set(state.slot, state.origin);
        }
        origins = next;
      }
    },
  },
  {
    id: 10,
    title: 'Weakening the trust in one lookup never makes a slot known by it',
    runs: 60,
    check: (world) => {
      const { verdict } = judged(world);
      const places = (verdict.slots ?? []).flatMap((state) => (state.state === 'known' ? [state.place] : []));
      const used = new Set(
        places.flatMap((place) => (place === null || place.in === 'entry' ? [] : [place.segment])),
      );
      for (const index of used) {
        const weak = (segment: Segment): Segment => ({
          ...segment,
          author: segment.author === 'user' ? 'third_party' : 'agent',
          typed: false,
          observes: null,
        });
        const run = withSegment(world.run, index, weak);
        for (const state of judged(world, run).verdict.slots ?? []) {
          if (state.state !== 'known' || state.place === null || state.place.in === 'entry') continue;
          // A text of the agent's may still be what a yes of the user's approved.
          const approved = state.reason === 'approved' && world.run.segments[index]?.author === 'agent';
          must(state.place.segment !== index || approved || state.by !== null, () => ({ index, state }));
        }
      }
    },
  },
  {
    id: 11,
    title: 'Raising `now` never turns unknown into known',
    runs: 80,
    check: (world) => {
      // Relative dates are read against the segment's own time, so each has one here.
      const segments = world.run.segments.map((segment) => ({
        ...segment,
        at: segment.at ?? '2024-05-19T12:00:00Z',
      }));
      const early: RunInput = { ...world.run, segments, now: '2024-05-20T09:00:00Z' };
      const late: RunInput = { ...early, now: '2031-01-01T00:00:00Z' };
      const before = statesOf(judged(world, early).verdict);
      for (const state of judged(world, late).verdict.slots ?? []) {
        const was = before.get(state.slot);
        must(!(was?.state === 'unknown' && state.state === 'known'), () => ({ was, state }));
      }
    },
  },
  {
    id: 14,
    title: 'The lookups of a slot change only what the declared needs reach from it',
    runs: 40,
    check: (world) => {
      const { verdict, lookups } = judged(world);
      const before = statesOf(verdict);
      const answer = answerIn(world);
      for (const lookup of lookups) {
        const { subject } = lookup.request;
        if (!('slot' in subject) || !subject.slot.startsWith('/')) continue;
        const changed: Lookup = {
          ...answer(lookup.request),
          outcome: { said: 'failed', code: 'law/failed' },
        };
        const after = judged(world, world.run, answersBut(world, world.run, changed)).verdict;
        const reach = reachedFrom(world.run, subject.slot);
        for (const state of after.slots ?? []) {
          const same = JSON.stringify(state) === JSON.stringify(before.get(state.slot));
          must(same || reach(state.slot), () => ({
            from: subject.slot,
            before: before.get(state.slot),
            after: state,
          }));
        }
      }
    },
  },
];
