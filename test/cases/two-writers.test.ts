import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { isGroundsError } from '../../src/errors.ts';
import { makeEvent } from '../../src/events/index.ts';
import type { Commit } from '../../src/log/port.ts';
import { openSqliteLog } from '../../src/log/sqlite.ts';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

const CONVERSATION = 'conversation/3f1c5f0e-6f0a-4a53-9d0e-0c2b8a4c7a11';

/** One more sentence of a conversation, written by one who has read it up to `expected`. */
function says(text: string, expected: number, number: number): Commit {
  const id = `3f1c5f0e-6f0a-4a53-9d0e-${String(number).padStart(12, '0')}`;
  const segment = {
    at: null,
    author: 'user' as const,
    typed: true,
    origin: null,
    body: { plain: text },
    observes: null,
  };
  const data = { segment, source: null };
  return {
    writes: [
      {
        stream: CONVERSATION,
        expected,
        events: [makeEvent('SegmentAdded', data, { id, at: '2026-03-01T10:00:00.000Z' })],
      },
    ],
  };
}

test('27: of two writers who read the same, one is in the log and the other is told what it met; nothing forks', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grounds-'));
  made.push(folder);
  const file = join(folder, 'grounds.db');
  const one = await openSqliteLog({ file, create: true });
  const two = await openSqliteLog({ file });
  await one.append(says('Transfer 300 to AC-9.', 0, 1));
  const results = await Promise.allSettled([
    one.append(says('Stop.', 1, 2)),
    two.append(says('Go ahead.', 1, 3)),
  ]);
  const lost = results.filter((result) => result.status === 'rejected');
  expect(lost).toHaveLength(1);
  const error: unknown = lost[0]?.reason;
  expect(isGroundsError(error) && error.code).toBe('log/conflict');
  expect(isGroundsError(error) && error.facts.conflicts).toEqual([
    { stream: CONVERSATION, expected: 1, actual: 2 },
  ]);
  const order = async (log: typeof one) => {
    const positions: [number, number][] = [];
    for await (const page of log.read({}))
      for (const { position, version } of page) positions.push([position, version]);
    return positions;
  };
  expect(await order(one)).toEqual([
    [0, 0],
    [1, 1],
  ]);
  expect(await order(two)).toEqual(await order(one));
  await one.close();
  await two.close();
});
