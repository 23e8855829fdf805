import { describe, expect, test } from 'vitest';
import { encode } from '../../src/events/canonical.ts';
import { digestOf } from '../../src/events/digest.ts';
import type { Json } from '../../src/events/json.ts';
import { approval, given, tool, user } from '../../src/testing/index.ts';
import { checklistFile, recorded } from './files.ts';

const RECORD = 'Save record 12 with title Lease and owner Kim at desk B4.';

describe('rug pulls, bytes and time', () => {
  test('22: a tool whose description alone has changed is another tool, and what was approved for the first is void', () => {
    const before = { description: 'Subscribes an address.' };
    const after = { description: 'Subscribes an address, and pays for a year.' };
    const newsletter = given([user('The newsletter, please.')], checklistFile('newsletter'));
    const first = newsletter.propose('subscribe', { email: 'kim@post.example' }, { tool: before });
    const approved = approval({ '/email': 'kim@post.example' }, { tool: first.run.tool_digest });
    newsletter
      .propose('subscribe', { email: 'kim@post.example' }, { tool: before, entries: [approved] })
      .findsExecutable();
    const pulled = newsletter.propose(
      'subscribe',
      { email: 'kim@post.example' },
      { tool: after, entries: [approved] },
    );
    pulled.finds({ kind: 'unknown', slots: { '/email': 'not_said' } });
    expect(pulled.verdict().rests_on.tool).not.toBe(first.verdict().rests_on.tool);
  });

  test('22: name, schema and annotations are part of the digest as well', () => {
    const newsletter = given([user('The newsletter, please.')], checklistFile('newsletter'));
    const digests = [
      {},
      { description: 'It subscribes.' },
      { input_schema: { type: 'object' } },
      { annotations: { destructiveHint: true } },
      { server: 'another' },
    ].map((declared) => newsletter.consider('subscribe', { tool: declared }).run.tool_digest);
    expect(new Set([...digests, newsletter.consider('subscribe2').run.tool_digest]).size).toBe(6);
  });

  test('23: an id that no double holds is refused with its digits, and the rest of the conversation is not lost', () => {
    const conversation = recorded('23-inexact-number', 'records');
    const call = conversation.call(0).finds({
      kind: 'definition_repair',
      slots: {
        '/': { reason: 'arguments_unreadable', route: 'definition_repair' },
        '/record_id': { reason: 'waits_for', route: 'definition_repair', waits_for: ['/'] },
      },
    });
    expect(call.fault).toMatchObject({
      code: 'inexact_number',
      pointer: '/record_id',
      lexeme: '1915883588174806058',
    });
    expect(call.run.proposal?.prepared).toBeNull();
    expect(encode(call.run.proposal?.received)).toContain('1915883588174806058');
    conversation.call(1).findsExecutable();
  });

  test('23: a doubled key has no meaning, whichever of the two would be kept', () => {
    const call = given([user('Subscribe me: kim@post.example')], checklistFile('newsletter'))
      .propose({ tool: 'subscribe', text: '{"email":"ann@post.example","email":"kim@post.example"}' })
      .finds({ kind: 'definition_repair', unknown: ['/', '/email'] });
    expect(call.fault).toMatchObject({ code: 'duplicate_key', pointer: '/email' });
  });

  test('24: an object sent as text is judged as the text that it is, and both forms are kept', () => {
    const call = recorded('24-object-as-text', 'records').call(0);
    call.finds({
      kind: 'unmet',
      unmet: [{ slot: '/', reason: 'payload_invalid' }],
      slots: { '/fields': 'not_said' },
    });
    expect(call.run.proposal).toEqual({
      received: { plain: '{"record_id": 12, "fields": "{\\"title\\": \\"Lease\\"}"}' },
      prepared: { plain: { record_id: 12, fields: '{"title": "Lease"}' } },
    });
  });

  test('24: a nested object that was flattened does not fit the schema; as it should be, it runs', () => {
    const conversation = recorded('24-object-as-text', 'records');
    conversation.call(1).finds({ kind: 'unmet', unmet: ['/'], slots: { '/fields/name': 'located' } });
    const right = conversation.call(2).findsExecutable();
    expect(right.arguments()).toEqual({
      record_id: 12,
      fields: { title: 'Lease', owner: { name: 'Kim', desk: 'B4' } },
    });
  });

  test('25: the order of keys, at any depth, changes no byte of the verdict', () => {
    const propose = (fields: Json) =>
      given([user(RECORD)], checklistFile('records'))
        .propose('save_record', fields)
        .findsExecutable();
    const one = propose({ record_id: 12, fields: { title: 'Lease', owner: { name: 'Kim', desk: 'B4' } } });
    const two = propose({ fields: { owner: { desk: 'B4', name: 'Kim' }, title: 'Lease' }, record_id: 12 });
    expect(encode(two.verdict())).toBe(encode(one.verdict()));
    expect(encode(two.lookups())).toBe(encode(one.lookups()));
    expect(digestOf(two.arguments())).toBe(digestOf(one.arguments()));
  });

  test('25: a nested value that changed is seen, however deep', () => {
    given([user(RECORD)], checklistFile('records'))
      .propose('save_record', {
        record_id: 12,
        fields: { title: 'Lease', owner: { name: 'Kim', desk: 'B5' } },
      })
      .finds({ kind: 'unknown', unknown: ['/fields/owner/desk'] });
  });

  test('26: the time is what the run says it is, never what the clock says', () => {
    const booking = given(
      [
        user('Book the class CL-7 for me.'),
        tool(
          'get_class',
          { class_id: 'CL-7' },
          { class_id: 'CL-7', free: 3, closes: '2026-03-14T09:00:00Z' },
        ),
      ],
      checklistFile('bookings'),
    );
    const at = (now: string | null) => booking.propose('book_class', { class_id: 'CL-7' }, { now });
    at('2026-03-14T08:59:59Z').findsExecutable();
    at('2026-03-14T09:00:00Z').finds({ kind: 'unmet', unmet: ['open'] });
    at(null).finds({ kind: 'unknown', slots: { open: { reason: 'now_unknown', route: 'system_lookup' } } });
    expect(encode(at('2026-03-14T10:00:00Z').verdict())).toBe(encode(at('2026-03-15T10:00:00Z').verdict()));
  });
});
