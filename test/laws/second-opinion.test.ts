import { describe, expect, test } from 'vitest';
import type { Lookup } from '../../src/events/lookup.ts';
import type { SlotState, Verdict } from '../../src/events/verdict.ts';
import { driveInRounds, step } from '../../src/gate/index.ts';
import type { StepFunction } from '../../src/gate/types.ts';
import { holds } from './holds.ts';
import type { Opinion, State } from './opinion.ts';
import { opinionOf } from './reference.ts';
import { answerIn, type World, worlds } from './worlds.ts';

function stateOf(state: SlotState): State {
  const { slot, reason } = state;
  if (state.state === 'unknown')
    return { slot, state: 'unknown', reason, route: state.route, pending: state.pending };
  if (state.state === 'null') return { slot, state: 'null', reason, source: state.source };
  return { slot, state: 'known', reason, source: state.source, origin: state.origin };
}

/** A verdict, as far as the second opinion goes. */
function asOpinion(verdict: Verdict): Opinion {
  return {
    kind: verdict.kind,
    next_attempt: verdict.next_attempt,
    exhausted: verdict.exhausted,
    intent: verdict.intent.map(stateOf),
    slots: verdict.slots?.map(stateOf).sort(bySlot) ?? null,
    unknown_count: verdict.unknown_count,
    unmet: verdict.unmet.map(({ slot, reason }) => `${slot} ${reason}`).sort(),
    not_run: verdict.not_run.map(({ slot, reason }) => `${slot} ${reason}`).sort(),
    reductions: verdict.reductions.map(({ kind, slot }) => `${kind} ${slot ?? ''}`).sort(),
  };
}

const bySlot = (a: State, b: State): number => (a.slot < b.slot ? -1 : a.slot > b.slot ? 1 : 0);
const withoutPlace = ({ place: _, ...state }: State): State => state;

function compare(gate: StepFunction, world: World): void {
  const answer = answerIn(world);
  const opinion = opinionOf(world.run, answer);
  const { verdict } = driveInRounds(gate, world.run, answer);
  expect(asOpinion(verdict)).toEqual({
    ...opinion,
    intent: opinion.intent.map(withoutPlace),
    slots: opinion.slots?.map(withoutPlace).sort(bySlot) ?? null,
  });
}

/** The gate with one rule of its own: what two parties wrote apart must notice. */
function mutant(change: (lookup: Lookup) => Lookup): StepFunction {
  return (run, lookups) => step(run, lookups.map(change));
}

/** Where a hook may lie at all. */
const hostile = worlds.filter(({ hostility }) => hostility !== null);

describe('A second opinion by a slow reading of the rules', () => {
  test('agrees with the gate on every world', () => {
    holds('second-opinion', worlds, (world) => compare(step, world), 400);
  });

  test('disagrees with a gate in which a failed lookup counts as an absent one (S1 removed)', () => {
    const lenient = mutant((lookup) =>
      lookup.outcome.said === 'failed' ? { ...lookup, outcome: { said: 'absent' } } : lookup,
    );
    expect(() => holds('canary', worlds, (world) => compare(lenient, world), 400)).toThrow(/GROUNDS_SEED=/);
  });

  test('disagrees with a gate that trusts a hook as it trusts the locator (S8 removed)', () => {
    const trusting = mutant((lookup) => ({ ...lookup, by: 'locator' }));
    expect(() => holds('canary', hostile, (world) => compare(trusting, world), 2_000)).toThrow(
      /GROUNDS_SEED=/,
    );
  });
});
