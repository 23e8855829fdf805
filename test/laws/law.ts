import { encode } from '../../src/events/canonical.ts';
import type { Lookup, LookupRequest } from '../../src/events/lookup.ts';
import type { SlotState, Verdict } from '../../src/events/verdict.ts';
import { type Driven, driveInRounds, step } from '../../src/gate/index.ts';
import type { RunInput } from '../../src/gate/types.ts';
import { answerIn, type World } from './worlds.ts';

/** One law of the gate: `check` throws where a world breaks it. */
export interface Law {
  readonly id: number;
  readonly title: string;
  /** How many worlds the normal run looks at. */
  readonly runs: number;
  check(world: World): void;
}

export function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

export function judged(world: World, run: RunInput = world.run, answer = answerIn(world, run)): Driven {
  return driveInRounds(step, run, answer);
}

/** The bytes of a verdict: what every law compares. */
export function bytesOf(verdict: Verdict): string {
  return encode(verdict);
}

/** The world's answers, but for one request. */
export function answersBut(world: World, run: RunInput, changed: Lookup): (request: LookupRequest) => Lookup {
  const answer = answerIn(world, run);
  const id = encode(changed.request);
  return (request) => (encode(request) === id ? changed : answer(request));
}

export function statesOf(verdict: Verdict): ReadonlyMap<string, SlotState> {
  return new Map((verdict.slots ?? []).map((state) => [state.slot, state]));
}

/** The same value with the keys of every object the other way round. */
export function turned<T>(value: T): T {
  if (Array.isArray(value)) return value.map(turned) as T;
  if (typeof value !== 'object' || value === null) return value;
  const out = {};
  for (const [key, item] of Object.entries(value).reverse()) {
    Object.defineProperty(out, key, {
      value: turned(item),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return out as T;
}

/** @throws Error with what was found, where a law does not hold. */
export function must(holds: boolean, found: () => unknown): void {
  if (!holds) throw new Error(`The law does not hold: ${JSON.stringify(found(), null, 1)}`);
}

export function sameBytes(a: Verdict, b: Verdict): void {
  must(bytesOf(a) === bytesOf(b), () => ({ one: a, other: b }));
}
