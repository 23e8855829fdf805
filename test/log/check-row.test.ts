import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  checkRow,
  encodeEnvelope,
  leafHash,
  openMemoryLog,
  type Row,
  rowChecker,
} from '../../src/log/index.ts';
import { commit, event } from './conformance.ts';

const row = (text: string, change: Partial<Row> = {}): Row => {
  const bytes = Buffer.from(text, 'utf8');
  return { position: 0, stream: 'a', version: 0, type: 'T', bytes, leaf: leafHash(bytes), ...change };
};
const text = encodeEnvelope({ ...event('T', { n: 1 }), stream: 'a' });

describe('checking a row', () => {
  it('hashes as RFC 6962 says', () => {
    const hex = (data: Buffer) => leafHash(data).toString('hex');
    expect(hex(Buffer.from('L123456'))).toBe(
      '395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56',
    );
    expect(hex(Buffer.alloc(0))).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
  });

  it.each([
    ['an honest row', row(text), null],
    ['a changed byte', { ...row(text), bytes: Buffer.from(text.replace('"n":1', '"n":2')) }, 'leaf'],
    ['another leaf', row(text, { leaf: Buffer.alloc(32) }), 'leaf'],
    ['another stream', row(text, { stream: 'b' }), 'columns'],
    ['another type', row(text, { type: 'U' }), 'columns'],
    ['white space', row(text.replace('{', '{ ')), 'canonical'],
    ['a doubled key', row(text.replace('{"at"', '{"at":"","at"')), 'canonical'],
    ['a key too many', row(text.replace('{"at"', '{"aa":0,"at"')), 'canonical'],
    ['a key too few', row(text.replace('"schema":1,', '')), 'canonical'],
    ['no JSON', row('{'), 'not-json'],
    ['no object', row('null'), 'not-json'],
    ['no UTF-8', row('', { bytes: Buffer.from([0xff]), leaf: leafHash(Buffer.from([0xff])) }), 'not-json'],
  ] as [string, Row, string | null][])('finds %s', (_, given, code) => {
    expect(checkRow(given)?.code ?? null).toBe(code);
  });

  test.prop([fc.nat(), fc.integer({ min: 1, max: 255 })])(
    'finds any flipped byte, at its position',
    (at, flip) => {
      const bytes = Buffer.from(text);
      bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ flip;
      expect(checkRow({ ...row(text), bytes, position: 7 })).toMatchObject({ code: 'leaf', position: 7 });
    },
  );
});

describe('checking rows in order', () => {
  const rows = (): Row[] => {
    const log = openMemoryLog();
    log.appendSync([commit('a', 'none', 2), commit('b', 'none', 2), commit('a', 2)]);
    return [...log.readSync({})].flat();
  };
  const codes = (given: readonly (Row | undefined)[], from = 0) => {
    const check = rowChecker(from);
    return given.map((one) => (one === undefined ? 'none' : (check(one)?.code ?? null)));
  };

  it('passes a whole log, and a part of one from where it begins', () => {
    expect(codes(rows())).toEqual([null, null, null, null, null]);
    expect(codes(rows().slice(2), 2)).toEqual([null, null, null]);
  });

  it('finds a row that is gone, and rows that changed places', () => {
    const [a0, a1, b0, b1, a2] = rows();
    expect(codes([a0, b0, b1, a2])).toEqual([null, 'position', null, 'version']);
    expect(codes([a0, a1, b1, b0, a2])).toEqual([null, null, 'position', 'position', 'position']);
  });

  it('finds a version that is not the next of its stream', () => {
    const [a0, a1] = rows();
    expect(
      codes([
        a0,
        a1 && { ...a1, bytes: a1.bytes, leaf: a1.leaf, type: a1.type, stream: 'a', position: 1, version: 2 },
      ]),
    ).toEqual([null, 'version']);
  });
});
