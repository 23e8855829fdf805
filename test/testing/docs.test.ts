import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as testing from '../../src/testing/index.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = [...read('docs/testing.md').matchAll(/```ts\n([\s\S]*?)```/g)].map((found) => found[1] ?? '');
const comment = /@example\n([\s\S]*?)\n \*\//.exec(read('src/testing/given.ts'))?.[1] ?? '';
const ofComment = comment.replaceAll(/^ \* ?/gm, '');

/** Runs an example as it stands; its imports become what they name. Gives how many expectations it made. */
function run(example: string): number {
  let made = 0;
  const body = example
    .replaceAll(/import \{([^}]*)\} from 'grounds\/testing';/g, 'const {$1} = testing;')
    .replaceAll(/import \{ test \} from 'node:test';/g, 'const test = (_, body) => body();');
  expect(body).not.toContain('import ');
  const counting: typeof testing = {
    ...testing,
    given: (...args) => {
      made++;
      return testing.given(...args);
    },
  };
  new Function('testing', 'console', body)(counting, { log: () => {} });
  return made;
}

describe('the testing page', () => {
  test('has an example for each of its parts', () => {
    expect(page.length).toBeGreaterThanOrEqual(6);
  });

  test.each([...page, ofComment].map((example, index) => [index + 1, example]))(
    'has an example %i that runs as it stands',
    (_, example) => {
      expect(run(String(example))).toBeGreaterThan(0);
    },
  );

  test('has examples that would fail if the gate found something else', () => {
    const wrong = ofComment.replace("'located'", "'measured'");
    expect(wrong).not.toBe(ofComment);
    expect(() => run(wrong)).toThrow(/expected "measured"/);
  });

  test('names everything that the entry exports', () => {
    const text = read('docs/testing.md');
    expect(Object.keys(testing).filter((name) => !text.includes(`${name}(`))).toEqual([]);
  });
});
