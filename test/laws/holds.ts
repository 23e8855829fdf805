import fc from 'fast-check';

/**
 * Checks a property over many cases. GROUNDS_FUZZ=n makes it n times as many; GROUNDS_SEED and GROUNDS_PATH run one
 * again. A failure's first line is the whole command that reproduces it.
 *
 * @throws Error with that line and what was found.
 */
export function holds<T>(
  name: string,
  cases: fc.Arbitrary<T>,
  check: (value: T) => void,
  runs: number,
): void {
  report(name, 'test/laws', fc.check(fc.property(cases, check), parametersOf(name, runs)));
}

/** The same of what takes its time: GROUNDS_FUZZ stops at a failure, and running that one again looks for a smaller one. */
export async function holdsLater<T>(
  name: string,
  where: string,
  cases: fc.Arbitrary<T>,
  check: (value: T) => Promise<void>,
  runs: number,
): Promise<void> {
  const fuzz = process.env.GROUNDS_FUZZ;
  const details = await fc.check(fc.asyncProperty(cases, check), {
    ...parametersOf<[T]>(name, runs),
    endOnFailure: fuzz !== undefined,
    interruptAfterTimeLimit: 120_000 * Number(fuzz ?? '1'),
  });
  report(name, where, details);
}

function parametersOf<T>(name: string, runs: number): fc.Parameters<T> {
  const { GROUNDS_FUZZ, GROUNDS_SEED, GROUNDS_PATH } = process.env;
  return {
    numRuns: runs * Number(GROUNDS_FUZZ ?? '1'),
    ...(GROUNDS_SEED === undefined ? { seed: fixedSeed(name) } : { seed: Number(GROUNDS_SEED) }),
    ...(GROUNDS_PATH === undefined ? {} : { path: GROUNDS_PATH }),
    // A canary is there to fail: it need not fail small.
    endOnFailure: name === 'canary',
  };
}

function report<T>(name: string, where: string, details: fc.RunDetails<[T]>): void {
  if (!details.failed) return;
  const again = `GROUNDS_SEED=${details.seed} GROUNDS_PATH=${details.counterexamplePath} npx vitest run ${where} -t '${name}'`;
  const shown = JSON.stringify(details.counterexample?.[0]);
  const why =
    details.errorInstance instanceof Error ? details.errorInstance.message : String(details.errorInstance);
  throw new Error(`${again}\n${name}, after ${details.numShrinks} shrinks:\n${why}\n${shown}`);
}

/** The normal run is the same every time; GROUNDS_FUZZ looks elsewhere. */
function fixedSeed(name: string): number {
  if (process.env.GROUNDS_FUZZ !== undefined) return Date.now() % 2_147_483_647;
  let seed = 7;
  for (let index = 0; index < name.length; index++)
    seed = (seed * 31 + name.charCodeAt(index)) % 2_147_483_647;
  return seed;
}
