import fc from 'fast-check';

/** What may be done to a log by whoever works with it: users, agents, hooks, providers, executors. */
export const DEEDS = [
  'onward',
  'open',
  'say',
  'judge',
  'judge elsewhere',
  'ask',
  'reply',
  'revoke',
  'keep',
  'revoke setting',
  'redeclare',
  'defer',
  'trigger',
  'execute',
  'reconcile',
  'abandon',
  'wait',
] as const;
export type Deed = (typeof DEEDS)[number];

/** One of them, with the choices that it makes. */
export interface Act {
  readonly deed: Deed;
  readonly choices: readonly number[];
}

export interface Story {
  /** The choices of its world: declarations, conversation, proposal, how far its hooks can be trusted. */
  readonly world: readonly number[];
  /** Among worlds, one in which something may come of a call. */
  readonly promising: boolean;
  /** One after the other; what stands in one list is done at once. */
  readonly acts: readonly (readonly Act[])[];
  /** How many turns each append comes late: what others do at once comes in between. */
  readonly turns: readonly number[];
  /** What another process does just before a read: after so many of them, of all or of those of executors at work. */
  readonly sneaks: readonly {
    readonly after: number;
    readonly executing: boolean;
    readonly choice: number;
  }[];
}

/** Mostly what serves a call, or nothing would ever run; the rest gets in its way. */
const WEIGHTS: Readonly<Record<Deed, number>> = {
  onward: 44,
  open: 3,
  say: 4,
  judge: 4,
  'judge elsewhere': 3,
  ask: 3,
  reply: 6,
  revoke: 3,
  keep: 4,
  'revoke setting': 1,
  redeclare: 3,
  defer: 2,
  trigger: 2,
  execute: 9,
  reconcile: 6,
  abandon: 1,
  wait: 2,
};

const number = fc.noBias(fc.nat(9_999));

const act: fc.Arbitrary<Act> = fc.record({
  deed: fc.oneof(...DEEDS.map((deed) => ({ weight: WEIGHTS[deed], arbitrary: fc.constant(deed) }))),
  choices: fc.array(number, { minLength: 40, maxLength: 40 }),
});

/**
 * Four worlds of five are of good faith: their first choice says so. In most of them half of the choices are the simplest, or
 * something would stand in the way of nearly every call.
 */
const world = fc
  .record({
    faith: fc.constantFrom(2, 3, 4, 3, 0),
    calm: fc.constantFrom(true, true, false),
    numbers: fc.array(number, { minLength: 150, maxLength: 260 }),
  })
  .map(({ faith, calm, numbers }) => [
    faith,
    ...numbers.map((each) => (calm && each % 2 === 0 ? 0 : Math.floor(each / 2))),
  ]);

export const stories: fc.Arbitrary<Story> = fc.record({
  world,
  promising: fc.constantFrom(true, true, true, false),
  acts: fc.array(
    fc.oneof(
      { weight: 5, arbitrary: fc.tuple(act) },
      { weight: 2, arbitrary: fc.array(act, { minLength: 2, maxLength: 3 }) },
    ),
    { minLength: 6, maxLength: 16, size: 'max' },
  ),
  turns: fc.array(fc.nat(6), { minLength: 1, maxLength: 8 }),
  sneaks: fc.array(
    fc.oneof(
      {
        weight: 1,
        arbitrary: fc.record({ after: fc.nat(300), executing: fc.constant(false), choice: number }),
      },
      {
        weight: 3,
        arbitrary: fc.record({ after: fc.nat(90), executing: fc.constant(true), choice: number }),
      },
    ),
    { maxLength: 5 },
  ),
});
