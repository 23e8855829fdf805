/** What a thrown error says must never stand in the log. */
export const SECRET = 'the password is hunter2';

/** Everything that a hook can do wrong, each with whether it answers at all. */
export const ODD: readonly (readonly [what: string, hook: () => unknown])[] = [
  [
    'throws',
    () => {
      throw new Error(SECRET);
    },
  ],
  [
    'throws something that is no error',
    () => {
      throw { toString: () => SECRET };
    },
  ],
  ['rejects', () => Promise.reject(new Error(SECRET))],
  ['never answers', () => new Promise(() => {})],
  // biome-ignore lint/suspicious/noThenProperty: a thenable is what is tested
  ['gives a thenable that never settles', () => ({ then: () => {} })],
  [
    'gives a thenable that throws when asked',
    () =>
      Object.defineProperty({}, 'then', {
        get: () => {
          throw new Error(SECRET);
        },
      }),
  ],
];

/** Short only for what never answers: on a busy machine a right answer may take its time. */
export function deadlineFor(what: string): number {
  return what.includes('never') ? 150 : 20_000;
}

/** Answers that are no answer to anything. */
export const OUT_OF_CONTRACT: readonly (readonly [what: string, hook: () => unknown])[] = [
  ['gives null', () => null],
  ['gives a number', () => 42],
  ['gives a list', () => [true]],
  ['gives an empty object', () => ({})],
  ['gives a function', () => () => true],
  ['gives a symbol', () => Symbol('yes')],
  ['gives a bigint', () => 1n],
  ['gives NaN', () => Number.NaN],
  ['gives a Date', () => new Date(0)],
  ['gives a Map', () => new Map([['approved', true]])],
  ['gives a circle', () => circle()],
  [
    'gives an object with a getter',
    () => ({
      get approved() {
        return true;
      },
      get valid() {
        return true;
      },
    }),
  ],
  [
    'gives a getter that throws',
    () =>
      Object.defineProperty({}, 'approved', {
        enumerable: true,
        get: () => {
          throw new Error(SECRET);
        },
      }),
  ],
  [
    'gives a proxy that throws',
    () =>
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error(SECRET);
          },
        },
      ),
  ],
  ['gives a huge answer', () => ({ approved: true, valid: true, value: 'x'.repeat(5_000_000) })],
  ['gives half of a character', () => '\ud800'],
  ['says yes in a string', () => ({ approved: 'true', valid: 'true' })],
];

function circle(): unknown {
  const own: Record<string, unknown> = { approved: true, valid: true };
  own.self = own;
  return own;
}
