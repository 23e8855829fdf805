import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as grounds from '../src/index.ts';
import { OPTIONAL_HOOKS, REQUIRED_HOOKS } from '../src/preflight/hooks.ts';
import { grounds as command } from './cli/terminal.ts';
import { replayed } from './replay/recorded.ts';

const page = readFileSync(new URL('../docs/preflight.md', import.meta.url), 'utf8');
const [example = '', native = ''] = [...page.matchAll(/```js\n(import [\s\S]*?)```/g)].map(
  ([, code]) => code,
);
const shown = /```\n(RAN ON [\s\S]*?)```/.exec(page)?.[1] ?? 'no why';

/** Runs an example in a folder of its own. */
async function running(code: string) {
  const folder = mkdtempSync(join(tmpdir(), 'grounds-'));
  const opened: grounds.SqliteLog[] = [];
  const told: unknown[][] = [];
  const entry = {
    ...grounds,
    openSqliteLogSync: (options: grounds.OpenOptions) => {
      const log = grounds.openSqliteLogSync({ ...options, file: join(folder, options.file) });
      opened.push(log);
      return log;
    },
  };
  const body = code.replace(/import \{([^}]*)\} from 'grounds';/, 'const {$1} = grounds;');
  expect(body).not.toContain('import ');
  const run = new Function('grounds', 'console', `return (async () => {${body}})();`);
  await run(entry, { log: (...words: unknown[]) => told.push(words) });
  const [log] = opened;
  if (log === undefined) return expect.unreachable('it opened no log');
  return { folder, told, log };
}

describe('The preflight page', () => {
  test('has a complete example that runs as it stands', async () => {
    const { folder, told, log } = await running(example);
    expect(told[0]).toMatchObject(['ask_user', [{ name: 'to_account' }]]);
    expect(told[1]).toEqual(['Which value should to_account have?']);
    expect(told[2]).toEqual(['execute']);
    expect(told[3]).toEqual([
      'execute',
      { from_account: '1102534471', to_account: '2203314455', amount: 500000 },
    ]);
    expect(replayed(log).summary).toMatchObject({ matched: 2, diverged: 0, tampered: 0 });
    await log.close();
    const file = join(folder, 'bank.db');
    const [call] = (await command(['calls', file, '--json'])).lines();
    const why = await command(['why', String(call?.call_id), '--db', file]);
    // The opaque id of the user is each log's own.
    const same = (text: string) => text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');
    expect(same(why.out)).toContain(same(shown));
    rmSync(folder, { recursive: true });
  });

  test('has a complete native example that runs as it stands', async () => {
    const { folder, told, log } = await running(native);
    expect(told.slice(0, 3)).toEqual([
      ['unknown'],
      [expect.stringContaining('To which account?')],
      ['succeeded', { amount: 120, to_account: '2203314455' }],
    ]);
    expect(replayed(log).summary).toMatchObject({ matched: 2, diverged: 0, tampered: 0 });
    await log.close();
    const [, call = ''] = /why (\S+)/.exec(String(told[3]?.[0])) ?? [];
    const why = await command(['why', call, '--db', join(folder, 'payments.db')]);
    expect(why.out).toMatch(/RAN ON GOOD GROUNDS[\s\S]*“2203314455” answer by/);
    rmSync(folder, { recursive: true });
  });

  test('names every hook and every rule-made default', () => {
    for (const name of [...REQUIRED_HOOKS, ...OPTIONAL_HOOKS]) expect(page).toContain(`\`${name}\``);
    expect(REQUIRED_HOOKS.every((name) => name in grounds.byRules)).toBe(true);
  });
});
