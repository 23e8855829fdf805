import { fc, test as law } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { isGroundsError } from '../../src/errors.ts';
import { Uuid } from '../../src/events/identity.ts';
import { uuidFrom } from '../../src/events/ids.ts';
import { randomId } from '../../src/events/random-id.ts';
import { parseStream, streamOf } from '../../src/events/streams.ts';

const key = new Uint8Array(32).fill(7);
const name = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'a/~01.é') });

law.prop([name, name])('a stream comes back as the parts it was built from', (a, b) => {
  expect(parseStream(streamOf.call(a))).toEqual({ kind: 'call', id: a });
  expect(parseStream(streamOf.conversation(a))).toEqual({ kind: 'conversation', id: a });
  expect(parseStream(streamOf.request(a))).toEqual({ kind: 'request', id: a });
  expect(parseStream(streamOf.tool(a, b))).toEqual({ kind: 'tool', server: a, name: b });
  expect(parseStream(streamOf.checklist(a, b))).toEqual({ kind: 'checklist', owner: a, name: b });
  expect(parseStream(streamOf.setting(a, b))).toEqual({ kind: 'setting', user: a, name: b });
});

const any = fc.string({ maxLength: 3, unit: fc.constantFrom(...'a/~') });

law.prop([any, any])('no stream is made that could not be read again', (a, b) => {
  const made = [
    () => streamOf.call(a),
    () => streamOf.conversation(a),
    () => streamOf.request(a),
    () => streamOf.tool(a, b),
    () => streamOf.checklist(a, b),
    () => streamOf.setting(a, b),
  ];
  for (const make of made) {
    let stream: string | null = null;
    try {
      stream = make();
    } catch (error) {
      expect(isGroundsError(error) ? error.code : error).toBe('events/stream');
      expect([a, b]).toContain('');
    }
    if (stream !== null) expect(() => parseStream(stream)).not.toThrow();
  }
});

test.each([
  () => streamOf.call(''),
  () => streamOf.tool('bank', ''),
  () => streamOf.checklist('system', ''),
  () => streamOf.setting('u', ''),
])('a stream is not made of an empty name: %s', (make) => {
  expect(make).toThrow(/is not the name of a stream/);
});

test('a stream keeps a slash in a name apart from its own', () => {
  expect(streamOf.checklist('acme', 'airline/policy')).toBe('checklist/acme/airline~1policy');
  expect(parseStream(streamOf.tool('', 'search'))).toEqual({ kind: 'tool', server: '', name: 'search' });
});

test.each(['', 'call', 'call/', 'call/a/b', 'tool/a', 'tool/a/', 'tool/a/b/c', 'calls/a', 'setting/u'])(
  'there is no stream %j',
  (stream) => {
    let code = 'read';
    try {
      parseStream(stream);
    } catch (error) {
      code = isGroundsError(error) ? error.code : 'other';
    }
    expect(code).toBe('events/stream');
  },
);

test('an id of the same parts under the same key stays the same for ever', () => {
  expect(uuidFrom(key, 'call', 'c1', '4', '0')).toBe(uuidFrom(key, 'call', 'c1', '4', '0'));
  expect(uuidFrom(key, 'call', 'c1', '4', '0')).toBe('d456daf4-d386-89fc-9b79-abcc84358963');
});

law.prop([fc.array(fc.string(), { maxLength: 4 })])('an id is a version-8 UUID', (parts) => {
  expect(Uuid.safeParse(uuidFrom(key, ...parts)).success).toBe(true);
  expect(uuidFrom(key, ...parts)[14]).toBe('8');
});

test('other parts, another cut between them or another key give another id', () => {
  const ids = [
    uuidFrom(key, 'ab', 'c'),
    uuidFrom(key, 'a', 'bc'),
    uuidFrom(key, 'abc'),
    uuidFrom(key, 'abc', ''),
    uuidFrom(new Uint8Array(32).fill(8), 'abc'),
  ];
  expect(new Set(ids).size).toBe(5);
});

test('a random id is a UUID and never the same', () => {
  const ids = Array.from({ length: 100 }, randomId);
  expect(new Set(ids).size).toBe(100);
  expect(ids.every((id) => Uuid.safeParse(id).success)).toBe(true);
});
