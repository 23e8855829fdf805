/** Choices read off a list of numbers. A spent list gives 0, the simplest choice, so that shorter lists are simpler worlds. */
export interface Dice {
  /** One of these; the first is the simplest. */
  pick<T>(of: readonly [T, ...T[]]): T;
  /** True once in `n`; false when spent. */
  rarely(n: number): boolean;
  /** From 0 to `n` - 1. */
  below(n: number): number;
}

export function diceOf(numbers: readonly number[]): Dice {
  let at = 0;
  const next = (): number => numbers[at++] ?? 0;
  const below = (n: number): number => next() % n;
  return {
    below,
    // null is a choice like any other.
    pick: <T>(of: readonly [T, ...T[]]): T => of[below(of.length)] as T,
    rarely: (n) => below(n) === n - 1,
  };
}

/** A number that hangs on a text alone (FNV-1a): the same request gets the same hostile answer at any time. */
export function hashOf(text: string, seed: number): number {
  let hash = (2166136261 ^ seed) >>> 0;
  for (let index = 0; index < text.length; index++) {
    hash = (((hash ^ text.charCodeAt(index)) * 16777619) % 4294967296) >>> 0;
  }
  return hash;
}
