import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../replay');
/** Loads frozen gates, or makes them: before and beside any replay. */
const ASYNC = ['gates.ts', 'freeze.ts', 'freeze-main.ts'];
const BANNED =
  /\b(Date|Math|Intl|URL|WeakRef|performance)\b|\*\* |\.(localeCompare|normalize|toLowerCase|toUpperCase|toLocale\w*|message|stack)\b|\.sort\(\)|\bfor \((const|let) \w+ in /;

const withoutComments = (code: string): string => code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');

describe('replay does the same everywhere, so it uses nothing that does not', () => {
  const files = readdirSync(root).filter((name) => name.endsWith('.ts'));

  it.each(files)('%s', (name) => {
    const code = withoutComments(readFileSync(join(root, name), 'utf8'));
    expect(code.match(BANNED)?.[0]).toBe(undefined);
    if (!ASYNC.includes(name)) expect(code.match(/\b(async|await|Promise)\b/)?.[0]).toBe(undefined);
    // Of the projections, the two folds that say what stood when a live run was judged, and no table.
    expect(code).not.toMatch(
      /from '\.\.\/src\/(audit|executor|preflight|mcp|transcripts|cli|projections\/(?!standing|request-standing|late))/,
    );
  });

  it('is small enough to be audited in one sitting', () => {
    const lines = files.flatMap((name) => readFileSync(join(root, name), 'utf8').split('\n'));
    expect(lines.length).toBeLessThan(1700);
  });

  it.each(['new Date()', '2 ** 3', 'a.sort()', 'error.message', 'for (const key in x) {'])(
    '%s would be seen',
    (code) => {
      expect(code).toMatch(BANNED);
    },
  );
});
