import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/events/json.ts';
import { resultSegment } from '../../src/executor/result-segment.ts';
import { exactText, holdsMark, readMessage, withoutMarks } from '../../src/mcp/exact-message.ts';
import { resultBody } from '../../src/mcp/result-body.ts';
import { messageOf } from '../../src/mcp/server-message.ts';

const BIG = '1915883588174806058';
const response = (result: string): string => `{"jsonrpc":"2.0","id":1,"result":${result}}`;

describe('A message of JSON-RPC', () => {
  test.each([
    `{"content":[],"structuredContent":{"id":${BIG}}}`,
    `{"content":[{"type":"text","text":"${BIG}"}],"structuredContent":{"a":0.1,"b":[-${BIG},1e400,0.1000000000000000055]}}`,
    '{"content":[{"type":"text","text":"\\ud800"}]}',
    '{"__proto__":{"a":1},"_meta":{"__proto__":2}}',
  ])('is written as it was read: %s', (result) => {
    const { message } = messageOf(response(result));
    expect(exactText(message)).toBe(response(result));
  });

  test('that holds what looks like a mark is left alone', () => {
    const text = response('{"content":[{"type":"text","text":"\\u00000:17"}]}');
    expect(exactText(messageOf(text).message)).toBe(text);
  });

  test('of a server with a doubled key becomes an error that quotes it', () => {
    const { message } = messageOf(response('{"content":[],"a":1,"a":2}'));
    expect(message).toMatchObject({ id: 1, error: { message: expect.stringContaining('"a" stands twice') } });
  });

  test('that is none says so', () => {
    expect(readMessage('{"jsonrpc":"2.0",')).toMatchObject({ message: null, fault: { code: 'truncated' } });
    expect(readMessage('{"jsonrpc":"2.0","id":null}')).toEqual({ message: null, fault: null });
  });
});

describe('A result that is not exact', () => {
  const { message } = messageOf(response(`{"content":[],"structuredContent":{"id":${BIG}}}`));
  const result = (message as unknown as { result: JsonObject }).result;

  test('is recorded with its digits, and measures nothing', () => {
    const about = {
      author: 'tool' as const,
      tool: 't',
      arguments: {},
      failed: false,
      at: '2026-01-01T00:00:00.000Z',
    };
    const segment = resultSegment(resultBody(result), about);
    expect(segment).toMatchObject({
      body: { plain: `{"id":${BIG}}` },
      observes: { fault: 'inexact_number' },
    });
  });

  test('holds a mark that nobody takes for a number', () => {
    expect(holdsMark(result)).toBe(true);
    expect(withoutMarks(result)).toMatchObject({ structuredContent: { id: BIG } });
  });
});
