import { isGroundsError } from '../../src/errors.ts';
import { type Commit, openSqliteLog, openSqliteLogSync } from '../../src/log/index.ts';

/** The other process of the tests: bundled and forked by child.ts. */
const [job, file = '', name = '', count = '0'] = process.argv.slice(2);

const commit = (n: number, expected: 'any' | 'none' | number, stream: string): Commit => ({
  writes: [
    {
      stream,
      expected,
      events: [
        {
          type: 'Noted',
          schema: 1,
          id: `${name}-${n}`,
          at: '2026-01-01T00:00:00.000Z',
          data: { n, by: name },
        },
      ],
    },
  ],
});

/** Opens a log and says what it holds. */
async function open(): Promise<unknown> {
  const log = await openSqliteLog({ file });
  const size = await log.size();
  await log.close();
  return { size };
}

/** Opens a log to read only, and says how many events it read and whether it could write. */
async function read(): Promise<unknown> {
  const log = openSqliteLogSync({ file, readonly: true });
  const events = [...log.readSync({})].flat().map(({ event }) => event.type).length;
  const wrote = await log.append(commit(0, 'any', 's')).then(
    () => true,
    () => false,
  );
  await log.close();
  return { events, wrote };
}

/** Writes to a stream of its own and, by read and retry, to one that all share. */
async function contend(): Promise<unknown> {
  const log = await openSqliteLog({ file, create: true });
  let conflicts = 0;
  for (let n = 0; n < Number(count); n++) {
    await log.append(commit(n, n, `own/${name}`));
    for (;;) {
      const version = await log.version('shared');
      try {
        await log.append(commit(n, version, 'shared'));
        break;
      } catch (error) {
        if (!isGroundsError(error) || error.code !== 'log/conflict') throw error;
        conflicts++;
      }
    }
  }
  const { origin } = log;
  await log.close();
  return { conflicts, origin };
}

/** Appends without end and reports each position once it is durable, until it is killed. */
async function endless(): Promise<unknown> {
  const log = await openSqliteLog({ file, create: true });
  for (let n = 0; ; n++) {
    const batch = Array.from({ length: 4 }, (_, k) => log.append(commit(n * 4 + k, 'any', `s/${k}`)));
    for (const { first } of await Promise.all(batch)) process.send?.(first);
    await new Promise(setImmediate);
  }
}

const jobs: Record<string, () => Promise<unknown>> = { open, read, contend, endless };
try {
  process.send?.(await jobs[job ?? '']?.());
} catch (error) {
  process.send?.(
    isGroundsError(error)
      ? { code: error.code, exit: error.exit, facts: error.facts, hint: error.hint }
      : String(error),
  );
}
