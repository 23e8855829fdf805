import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { GroundsError } from '../../src/errors.ts';
import { faultOf, fileOf, fixture, fixtureText, readAll } from './files.ts';

const CHAT = '[{"role":"user","content":"Hi"}]';
const LINE = `{"messages":${CHAT}}`;

describe('a file of conversations', () => {
  it.each([
    ['one a line', `${LINE}\n${LINE}\n`, [1, 2]],
    ['one a line without a last line end', `${LINE}\r\n\r\n${LINE}`, [1, 3]],
    ['one on one line', LINE, [1]],
    ['an array of messages a line', `${CHAT}\n${CHAT}`, [1, 2]],
    ['an array of runs on one line', `[${LINE},${LINE}]`, [1, 1]],
    ['an array of runs, one a line', `[\n${LINE},\n\n${LINE}\n]\n`, [2, 4]],
    ['a document over many lines', JSON.stringify(JSON.parse(LINE), null, 2), [1]],
    ['a document that starts late', `\n \n${JSON.stringify(JSON.parse(LINE), null, 2)}`, [3]],
    ['one message a line', '{"role":"user","content":"Hi"}\n{"role":"assistant","content":"Yes?"}\n', [1]],
    ['one after a byte order mark', `\uFEFF${LINE}\n${LINE}`, [1, 2]],
  ])('is read: %s', (_, text, lines) => {
    const read = readAll(fileOf(text));
    expect(read.map(({ origin }) => origin.line)).toEqual(lines);
    expect(read.every(({ segments }) => segments[0]?.segment.body !== undefined)).toBe(true);
  });

  it('starts each run of a document at its own line', () => {
    const lines = fixtureText('tau-runs.json').split('\n');
    const read = readAll(fixture('tau-runs.json'));
    expect(read).toHaveLength(2);
    for (const { origin } of read) expect(lines[origin.line - 1]?.trim()).toBe('{');
  });

  it('makes one conversation of one message a line, calls and faults in place', () => {
    const text = [
      '{"role":"user","content":"Pay."}',
      '{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"pay","arguments":{"n":9007199254740993}}}]}',
      '{"role":"tool","tool_call_id":"a","content":"ok"}',
    ].join('\n');
    const [chat] = readAll(fileOf(text));
    expect(chat?.calls).toMatchObject([
      { message: 1, arguments: { text: '{"n":9007199254740993}' }, result: 1 },
    ]);
  });

  it('crosses the pieces in which it is read without a seam', () => {
    const line = (i: number) =>
      JSON.stringify({ messages: [{ role: 'user', content: `é${i} `.repeat(i * 3000) }] });
    const lines = Array.from({ length: 60 }, (_, i) => line(i + 1));
    const read = readAll(fileOf(lines.join('\n')));
    expect(read.map(({ identity }) => JSON.stringify((identity as { messages: unknown }).messages))).toEqual(
      lines.map((each) => JSON.stringify((JSON.parse(each) as { messages: unknown }).messages)),
    );
  });

  it('takes time in proportion to its runs, on one line too', () => {
    const path = fileOf(`[${Array.from({ length: 50_000 }, () => CHAT).join(',')}]`);
    const started = process.cpuUsage();
    expect(readAll(path)).toHaveLength(50_000);
    expect(process.cpuUsage(started).user).toBeLessThan(8_000_000);
  });

  it('gives the conversations before a fault, and with a taker for faults also those after it', () => {
    const path = fileOf(`${LINE}\n{"messages":[{"role":\n${LINE}\n7\n${LINE}`);
    const faults: GroundsError[] = [];
    const lines = readAll(path, { onFault: (error) => faults.push(error) }).map(({ origin }) => origin.line);
    expect(lines).toEqual([1, 3, 5]);
    expect(faults.map(({ code, facts }) => [code, facts.line])).toEqual([
      ['transcript/not-json', 2],
      ['transcript/unknown-format', 4],
    ]);
  });

  it.each([
    ['the first line', `{"messages":[\n${LINE}`, [2], [1]],
    ['the first two lines', `{"messages":[\n{"messages":[\n${LINE}`, [3], [1, 2]],
    ['one run of a document', `[${LINE},{"messages":[{"role":7}]},${LINE}]`, [1, 1], [1]],
    [
      'an unreadable message among lines of one conversation',
      '{"role":"user"}\n{"role":\n{"role":"user"}',
      [],
      [2],
    ],
    ['a cut-off document of messages', '[\n{"role":"user","content":"Hi"}\n', [], [3]],
  ])('loses only what is at fault: %s', (_, text, read, faulty) => {
    const faults: unknown[] = [];
    const path = fileOf(text);
    const lines = readAll(path, { onFault: (error) => faults.push(error.facts.line) }).map(
      ({ origin }) => origin.line,
    );
    expect([lines, faults]).toEqual([read, faulty]);
  });
});

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

describe('bad input', () => {
  it.each<[string, string | Uint8Array, string, number | null]>([
    ['nothing', '', 'empty', null],
    ['blank lines', ' \n\r\n\t\n', 'empty', null],
    ['only a byte order mark', '\uFEFF', 'empty', null],
    ['an empty array', '[]', 'empty', 1],
    ['prose', 'Dear reader,\nno JSON here.\n', 'not-json', 1],
    ['a line cut off', `${LINE}\n${LINE.slice(0, 20)}`, 'not-json', 2],
    ['a document cut off', fixtureText('openai-chat.json').slice(0, 300), 'not-json', 15],
    ['two values on a line', `${LINE}${LINE}`, 'not-json', 1],
    ['a number', '7', 'unknown-format', 1],
    ['another object', `${LINE}\n{"hello":"world"}`, 'unknown-format', 2],
    ['messages that are no array', '{"messages":{}}', 'unknown-format', 1],
    ['a message that is none', '[{"role":"user","content":"x"},5]', 'shape', 1],
    ['a message without a role', '[{"role":"user"},{"content":"x"}]', 'shape', 1],
    ['content of a wrong kind', '[{"role":"user","content":5}]', 'shape', 1],
    ['a part of a wrong kind', '[{"role":"user","content":[5]}]', 'shape', 1],
    ['a text part without text', '[{"role":"user","content":[{"type":"text"}]}]', 'shape', 1],
    ['calls that are no array', '[{"role":"assistant","tool_calls":{}}]', 'shape', 1],
    ['a call that is none', '[{"role":"assistant","tool_calls":[5]}]', 'shape', 1],
    ['a call without a function', '[{"role":"assistant","tool_calls":[{}]}]', 'shape', 1],
    ['a function without a name', '[{"role":"assistant","tool_calls":[{"function":{}}]}]', 'shape', 1],
    [
      'an inexact number in a message',
      '[{"role":"user","content":"x","n":9007199254740993}]',
      'not-exact',
      1,
    ],
    [
      'a doubled key in a message',
      `${LINE}\n[{"role":"system","role":"user","content":"x"}]`,
      'not-exact',
      2,
    ],
    [
      'doubled arguments',
      '[{"role":"a","tool_calls":[{"function":{"name":"t","arguments":{},"arguments":{}}}]}]',
      'not-exact',
      1,
    ],
    ['half a character', `${LINE}\n[{"role":"user","content":"\\ud83d!"}]`, 'lone-surrogate', 2],
    ['half a character in a key', '[{"role":"user","\\udc00":1}]', 'lone-surrogate', 1],
    ['two halves in the wrong order', '[{"role":"user","content":"\\ude00\\ud83d"}]', 'lone-surrogate', 1],
    ['deep nesting', `${LINE}\n${'['.repeat(200_000)}${']'.repeat(200_000)}`, 'too-deep', 2],
    ['deep nesting without an end', '{"a":'.repeat(200_000), 'too-deep', 1],
    ['bytes that are not UTF-8', bytes(`${LINE}\n`, [0x22, 0xff, 0xfe, 0x22]), 'not-utf-8', 2],
    [
      'bytes that are not UTF-8 in a document',
      bytes('[\n{"role":"user",\n"content":"', [0xc3], '"}]'),
      'not-utf-8',
      3,
    ],
    ['UTF-16', Buffer.from(`\uFEFF${LINE}`, 'utf16le'), 'not-utf-8', 1],
    ['NUL bytes', bytes(`${LINE}\n`, [0, 0, 0, 0]), 'nul-bytes', 2],
    ['a NUL byte in text', bytes('[{"role":"user","content":"a', [0], 'b"}]'), 'nul-bytes', 1],
  ])('is refused with its line: %s', (_, content, code, line) => {
    const fault = faultOf(fileOf(content));
    expect([fault.code, fault.line]).toEqual([`transcript/${code}`, line]);
    expect(fault.text.length).toBeLessThan(400);
  });

  it('may escape pairs, backslashes and NULs', () => {
    const content = 'a\\ud83d\\ude00 \\\\ud800 \\u0000';
    const [chat] = readAll(fileOf(`[{"role":"user","content":"${content}"}]`));
    expect(chat?.segments[0]?.segment.body).toEqual({ plain: 'a😀 \\ud800 \0' });
  });

  it('is refused where a line has more than 32 MiB, and the next line is read', () => {
    const long = Buffer.alloc(50_000_000, 'x');
    const path = fileOf(Buffer.concat([Buffer.from(`${LINE}\n`), long, Buffer.from(`\n${LINE}`)]));
    expect(faultOf(path)).toMatchObject({ code: 'transcript/line-too-long', line: 2 });
    expect(readAll(path, { onFault: () => {} }).map(({ origin }) => origin.line)).toEqual([1, 3]);
    expect(faultOf(fileOf(long))).toMatchObject({ code: 'transcript/line-too-long', line: 1 });
  });

  it('is refused where there is no file, only a directory, or no such format', () => {
    const path = fileOf('');
    const folder = `${path}.folder`;
    mkdirSync(folder);
    expect(faultOf(`${path}.missing`).code).toBe('transcript/not-found');
    expect(faultOf(`${path}/inside`).code).toBe('transcript/not-found');
    expect(faultOf(folder).code).toBe('transcript/is-a-directory');
    expect(faultOf(path, { format: 'smoke-signals' }).text).toContain('openai-chat');
  });
});
