import { describe, expect, it } from 'vitest';
import { streamOf } from '../../src/events/index.ts';
import { randomId } from '../../src/events/random-id.ts';
import { createExecutor, NotReached, unfinishedStarts, verifySigned } from '../../src/executor/index.ts';
import { recordBytes } from '../../src/executor/signed-record.ts';
import { publicKeyOf, signerOf } from '../../src/keys/index.ts';
import { leafHash, openMemoryLog, type StoredRow, type SyncLog } from '../../src/log/index.ts';
import { judge, later, SOMEBODY } from './bank.ts';

const SIGNER = signerOf('PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz');
const OTHER = publicKeyOf('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');

function signing(log: SyncLog, call: Parameters<typeof createExecutor>[0]['call']) {
  return createExecutor({ log, name: 'bank/1', clock: () => later(60), key: SIGNER, call });
}

async function executed() {
  const log = openMemoryLog();
  const judged = judge(log);
  await signing(log, () => ({ result: { id: 7 }, failed: false })).execute(judged);
  return { log, ...judged };
}

/** The same log, with one event's bytes changed as somebody with the file could, leaf hash and all. */
function changed(log: SyncLog, type: string, change: (text: string) => string): SyncLog {
  const altered = (row: StoredRow): StoredRow => {
    if (row.type !== type) return row;
    const bytes = Buffer.from(change(Buffer.from(row.bytes).toString('utf8')));
    return { ...row, type: row.type, bytes, leaf: leafHash(bytes), event: JSON.parse(bytes.toString()) };
  };
  return {
    ...log,
    *readSync(query) {
      for (const page of log.readSync(query)) yield page.map(altered);
    },
  };
}

describe('an executor’s record', () => {
  it('is signed over leaf hashes of events, and holds no value and no digest of one', async () => {
    const { log, call } = await executed();
    expect(verifySigned(log, call, [OTHER, SIGNER.public])).toMatchObject([
      { status: 'valid', outcome: 'succeeded', key: 'PeterNeumann+c74f20a3' },
    ]);
    const [check] = verifySigned(log, call, []);
    const text = recordBytes(log, call, check?.start ?? '', {
      outcome: 'succeeded',
      by: 'call',
      code: null,
      result: null,
    }).toString();
    expect(Object.keys(JSON.parse(text))).toEqual(
      ['call', 'code', 'kind', 'log', 'outcome', 'by', 'result', 'run', 'start', 'verdict'].sort(),
    );
    expect(text).not.toContain('acc-77');
  });

  it('says of a key that it does not know, and of no signature, just that', async () => {
    const { log, call } = await executed();
    expect(verifySigned(log, call, [OTHER])).toMatchObject([{ status: 'unknown_key' }]);
    const plain = openMemoryLog();
    const judged = judge(plain);
    const call2 = () => ({ result: 1, failed: false });
    await createExecutor({ log: plain, name: 'b', clock: () => later(1), call: call2 }).execute(judged);
    expect(verifySigned(plain, judged.call, [SIGNER.public])).toMatchObject([
      { status: 'unsigned', key: null },
    ]);
  });

  it.each([
    ['the result', 'SegmentAdded', (text: string) => text.replace('"id":7', '"id":8')],
    ['the run', 'RunStarted', (text: string) => text.replace('"amount":250', '"amount":999')],
    ['the verdict', 'VerdictRecorded', (text: string) => text.replace('"also":1', '"also":2')],
    ['the start', 'CallStarted', (text: string) => text.replace(/"at":"2026/, '"at":"2027')],
    [
      'the outcome’s result',
      'CallSucceeded',
      (text: string) => text.replace(/"result":\{[^}]*\}/, '"result":null'),
    ],
    [
      'the signature’s form',
      'CallSucceeded',
      (text: string) => text.replace(/"signature":"(.)/, '"signature":" $1'),
    ],
  ])('no longer checks where %s was changed', async (_, type, change) => {
    const { log, call } = await executed();
    const other = changed(log, type, change);
    expect(verifySigned(other, call, [SIGNER.public])).toMatchObject([{ status: 'bad_signature' }]);
  });

  it('does not check in another log', async () => {
    const { log, call } = await executed();
    expect(verifySigned({ ...log, origin: randomId() }, call, [SIGNER.public])).toMatchObject([
      { status: 'bad_signature' },
    ]);
  });

  it('of a failure binds its code; of a settled start, who says so', async () => {
    const log = openMemoryLog();
    const failed = judge(log);
    const unreached = signing(log, () => {
      throw new NotReached('refused');
    });
    await unreached.execute(failed);
    expect(verifySigned(log, failed.call, [SIGNER.public])).toMatchObject([
      { status: 'valid', outcome: 'failed' },
    ]);
    const other = changed(log, 'CallFailed', (text) => text.replace('tool/not-reached', 'tool/failed'));
    expect(verifySigned(other, failed.call, [SIGNER.public])).toMatchObject([{ status: 'bad_signature' }]);

    const unknown = judge(log);
    const executor = signing(log, () => {
      throw new Error('gone');
    });
    await executor.execute(unknown);
    expect(verifySigned(log, unknown.call, [SIGNER.public])).toEqual([]);
    const [start] = [...unfinishedStarts(log)];
    await executor.reconcile({
      start: start?.start ?? '',
      outcome: 'succeeded',
      by: 'reported',
      responder: SOMEBODY,
    });
    expect(verifySigned(log, unknown.call, [SIGNER.public])).toMatchObject([{ status: 'valid' }]);
    const measured = changed(log, 'CallReconciled', (text) => text.replace('"reported"', '"measured"'));
    expect(verifySigned(measured, unknown.call, [SIGNER.public])).toMatchObject([
      { status: 'bad_signature' },
    ]);
  });

  it('stands in the log in the shape that is published', async () => {
    const { log, call } = await executed();
    for (const page of log.readSync({ stream: streamOf.call(call), types: ['CallSucceeded'] }))
      for (const { event } of page)
        expect((event.data as { signed: unknown }).signed).toEqual({
          key: 'PeterNeumann+c74f20a3',
          signature: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
        });
  });
});
