import { describe, expect, expectTypeOf, test } from 'vitest';
import { isGroundsError } from '../../src/errors.ts';
import { encode } from '../../src/events/canonical.ts';
import {
  type DataOf,
  EVENT_TYPES,
  EVENTS,
  type Frozen,
  makeEvent,
  parseEvent,
  publishedSchemas,
  streamOf,
} from '../../src/events/index.ts';
import type { Proposal, RunInput } from '../../src/gate/types.ts';

const id = '0b6f5a6e-7c1d-4c58-9b0e-2f4f7f3f5a11';
const other = '7d9f1f0a-52a4-8d11-8a77-0a6a5b1c2d3e';
const at = '2026-01-31T09:30:00.000Z';
const digest = `sha256:${'0'.repeat(64)}`;

const started: DataOf<'RunStarted'> = {
  run: other,
  request: other,
  conversation: other,
  segments: 3,
  request_from: 0,
  request_boundary: 'assumed',
  gate: digest,
  ruleset: 'standard',
  phase: 'at_trigger',
  now: '2026-01-31T04:30:00-05:00',
  supersedes: null,
  follows: null,
  attempts: { intent: 0, tool: 0 },
  proposal: { received: null, prepared: { plain: { order_id: '#W1' } } },
  tool: { stream: 'tool/shop/refund', digest },
  checklists: [{ stream: 'checklist/system/shop', digest }],
  unsound: [],
  action_key: { state: 'ok', key: null },
  entries: [
    {
      event: null,
      entry: { kind: 'setting', name: 'card', value: { plain: 'c1' }, none: false, attested_by: 'caller' },
    },
  ],
  environment: { node: '20.20.2', v8: '11.3', icu: '74', unicode: '15.1', tz: 'UTC' },
  origin: { file: 'a.jsonl', line: 1, message: 4 },
  gated: true,
};
const stored = { ...makeEvent('RunStarted', started, { id, at }), stream: streamOf.call(other) };

function faultOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return isGroundsError(error) ? { code: error.code, ...error.facts } : error;
  }
}

describe('making an event', () => {
  test('gives its newest schema number beside the data', () => {
    expect(makeEvent('RunStarted', started, { id, at })).toEqual({
      type: 'RunStarted',
      schema: 1,
      id,
      at,
      data: started,
    });
  });

  test('takes frozen data as it is', () => {
    const segment: Frozen<DataOf<'SegmentAdded'>> = Object.freeze({
      segment: { at: null, author: 'user', typed: true, origin: null, body: { plain: 'Hi' }, observes: null },
      source: Object.freeze({ message: 0, part: null }),
    });
    expect(makeEvent('SegmentAdded', segment, { id, at }).data).toBe(segment);
  });

  test.each<[string, Partial<Record<keyof typeof started, unknown>>, string]>([
    ['an unknown member', { extra: 1 } as object, '/data'],
    ['a digest that is none', { gate: 'sha256:00' }, '/data/gate'],
    ['an upper-case id', { run: other.toUpperCase() }, '/data/run'],
    ['a time without a zone', { now: '2026-01-31T04:30:00' }, '/data/now'],
    [
      'a value that is not JSON',
      { proposal: { received: null, prepared: { plain: { a: [new Date(0)] } } } },
      '/data/proposal/prepared/plain/a/0',
    ],
    [
      'an entry of no kind',
      { entries: [{ event: null, entry: { kind: 'x' } }] },
      '/data/entries/0/entry/kind',
    ],
  ])('refuses %s, with its path', (_, change, path) => {
    const data = { ...started, ...change } as typeof started;
    expect(faultOf(() => makeEvent('RunStarted', data, { id, at }))).toMatchObject({
      code: 'events/invalid',
      type: 'RunStarted',
      path,
    });
  });

  test('refuses a time that is not UTC with milliseconds', () => {
    expect(faultOf(() => makeEvent('RunStarted', started, { id, at: '2026-01-31T09:30:00Z' }))).toMatchObject(
      {
        code: 'events/invalid',
        path: '/at',
      },
    );
  });
});

describe('reading a stored event', () => {
  test('gives back what was stored', () => {
    const read = parseEvent(JSON.parse(encode(stored)));
    expect(encode(read)).toBe(encode(stored));
    if (read.type === 'RunStarted') expectTypeOf(read.data).toEqualTypeOf<DataOf<'RunStarted'>>();
  });

  test('keeps a __proto__ key in a person’s data', () => {
    const plain = JSON.parse('{"__proto__":{"a":1}}') as object;
    const event = { ...stored, data: { ...started, proposal: { received: null, prepared: { plain } } } };
    expect(encode(parseEvent(event))).toContain('"plain":{"__proto__":{"a":1}}');
  });

  test.each<[string, object, object]>([
    ['a missing member', { id: undefined }, { code: 'events/invalid', path: '/id' }],
    ['an unknown member', { extra: 1 }, { code: 'events/invalid', path: '' }],
    ['a type of no event', { type: 'toString' }, { code: 'events/unknown-type', type: 'toString' }],
    ['a newer schema', { schema: 2 }, { code: 'events/schema', schema: 2, to: 1 }],
    [
      'a stream it does not belong in',
      { stream: streamOf.request(other) },
      { code: 'events/invalid', path: '/stream' },
    ],
    ['no stream at all', { stream: 'calls' }, { code: 'events/stream' }],
    ['data of another shape', { data: {} }, { code: 'events/invalid', path: '/data/run' }],
  ])('refuses %s', (_, change, fault) => {
    expect(faultOf(() => parseEvent({ ...stored, ...change }))).toMatchObject(fault);
  });
});

describe('the registry', () => {
  test('knows where each event stands', () => {
    expect(EVENTS.SegmentAdded.streams).toEqual(['conversation']);
    expect(EVENTS.QuestionAsked.streams).toEqual(['request', 'call']);
    expect(EVENTS.VerdictRecorded.streams).toEqual(['call']);
    expect(EVENT_TYPES).toHaveLength(28);
  });

  test('publishes a JSON Schema of every event, any JSON where a person’s data stand', () => {
    const schemas = publishedSchemas();
    expect(Object.keys(schemas)).toEqual(['Envelope', ...EVENT_TYPES]);
    expect(schemas.ToolDeclared).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      required: ['digest', 'tool'],
      additionalProperties: false,
    });
    expect(schemas.IncidentReported).toMatchObject({
      properties: {
        text: { anyOf: [{ properties: { plain: { type: 'string' } }, required: ['plain'] }, {}] },
      },
    });
    expect(schemas.SettingStored).toMatchObject({
      properties: { value: { anyOf: [{ properties: { plain: {} }, required: ['plain'] }, {}] } },
    });
  });
});

test('what is stored of a run has the types that the gate takes', () => {
  expectTypeOf<NonNullable<DataOf<'RunStarted'>['proposal']>>().toExtend<Proposal>();
  type Shared = 'gate' | 'ruleset' | 'phase' | 'now' | 'attempts' | 'unsound' | 'request_from' | 'proposal';
  expectTypeOf<Pick<DataOf<'RunStarted'>, Shared>>().toExtend<Pick<RunInput, Shared>>();
  expectTypeOf<Frozen<Pick<DataOf<'RunStarted'>, Shared>>>().toEqualTypeOf<Frozen<Pick<RunInput, Shared>>>();
});
