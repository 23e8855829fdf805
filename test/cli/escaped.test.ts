import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { encode } from '../../src/events/canonical.ts';
import { BANK_RULES, jsonLines, transferRun } from './bank.ts';
import { folder, grounds } from './terminal.ts';

/** One of each kind that a terminal obeys: C1, delete, marks of direction, separators, fillers, escape. */
const MARKS = [
  '\u009b',
  '\u007f',
  '\u200f',
  '\u202e',
  '\u2066',
  '\u061c',
  '\u2028',
  '\ufeff',
  '\u200b',
  '\u001b',
];
const ORDERS = MARKS.join('a');

async function recorded() {
  const { file, path } = folder();
  const log = path('orders.db');
  const runs = file(
    'runs.jsonl',
    jsonLines(
      transferRun(`Please send 250 to acc-77 ${ORDERS}`, { amount: 250, to: `acc-99${ORDERS}`, [ORDERS]: 1 }),
    ),
  );
  const rules = file('bank.yaml', BANK_RULES);
  const request = file(
    'request.json',
    JSON.stringify({
      id: `call ${ORDERS}`,
      conversation: [{ role: 'user', content: `Send 250 to acc-77 ${ORDERS}` }],
      tool: `transfer${ORDERS}`,
      arguments: { amount: 250, to: ORDERS },
    }),
  );
  const audit = await grounds(['audit', runs, '-c', rules, '--db', log, '--json']);
  return { log, runs, rules, request, audit, call: String(audit.lines()[1]?.call_id) };
}

test('no command gives as JSON what a terminal would obey', async () => {
  const { log, runs, rules, request, audit, call } = await recorded();
  const shown = [audit];
  for (const args of [
    ['check', request, '-c', rules, '--db', log],
    ['calls', log],
    ['why', call, log],
    ['show', call, log],
    ['show', call, log, '--events'],
    ['show', call, log, '--all'],
    ['log', log],
    ['gaps', log],
    ['replay', log, '--all'],
    ['suggest', runs],
    ['schema', 'why'],
  ]) {
    shown.push(await grounds([...args, '--json']));
  }
  for (const { out, lines } of shown) {
    expect(MARKS.filter((mark) => out.includes(mark))).toEqual([]);
    expect(lines().length).toBeGreaterThan(0);
  }
  for (const { lines } of shown.slice(0, 8)) expect(JSON.stringify(lines())).toContain(ORDERS.slice(0, -1));
});

test('an event that log gives as JSON still says what its leaf hash is of', async () => {
  const { log } = await recorded();
  for (const { event, leaf } of (await grounds(['log', log, '--json'])).lines()) {
    expect(
      createHash('sha256')
        .update(`\0${encode(event)}`)
        .digest('hex'),
    ).toBe(leaf);
  }
});
