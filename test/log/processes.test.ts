import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { openSqliteLog, rowChecker } from '../../src/log/index.ts';
import { run, start } from './child.ts';
import { rowsOf } from './conformance.ts';
import { freshFiles } from './folder.ts';

const fresh = freshFiles();

describe('several processes', () => {
  it('make one log together and write it at once: nothing is lost, doubled or out of order', async () => {
    const file = fresh();
    const names = ['a', 'b', 'c'];
    const reports = await Promise.all(names.map((name) => run('contend', [file, name, '40'])));
    const log = await openSqliteLog({ file });
    expect(reports).toEqual(names.map(() => ({ conflicts: expect.any(Number), origin: log.origin })));
    const rows = await rowsOf(log);
    expect(rows).toHaveLength(240);
    expect(rows.map(rowChecker())).toEqual(rows.map(() => null));
    for (const name of names) {
      const own = rows.filter((row) => row.stream === `own/${name}`).map((row) => row.event.data);
      expect(own).toEqual(Array.from({ length: 40 }, (_, n) => ({ n, by: name })));
      const shared = rows.filter((row) => row.stream === 'shared').map((row) => row.event.data);
      expect(shared.filter((data) => (data as { by: string }).by === name)).toEqual(own);
    }
    await log.close();
  });

  it('killed with -9, leave every event that was acknowledged', async () => {
    for (const enough of [5, 60]) {
      const file = fresh();
      const child = await start(['endless', file, 'k']);
      const acknowledged: number[] = [];
      await new Promise<void>((done) => {
        child.on('message', (position) => {
          acknowledged.push(position as number);
          if (acknowledged.length === enough) done();
        });
      });
      child.kill('SIGKILL');
      await once(child, 'close');
      const log = await openSqliteLog({ file });
      const rows = await rowsOf(log);
      expect(acknowledged.length).toBeGreaterThanOrEqual(enough);
      expect(acknowledged).toEqual(acknowledged.map((_, n) => n));
      expect(rows.length).toBeGreaterThanOrEqual(acknowledged.length);
      expect(rows.map(rowChecker())).toEqual(rows.map(() => null));
      await log.close();
    }
  });
});
