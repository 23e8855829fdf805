import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/events/json.ts';
import { FORMATS, readTranscripts } from '../../src/transcripts/index.ts';
import { faultOf, fileOf, fixture, fixtureText, readAll } from './files.ts';
import { filesOfSamples, SAMPLES } from './samples.ts';

/** The document, or the first line. */
function firstValue(file: string): Json {
  const text = fixtureText(file);
  return JSON.parse(file.endsWith('l') ? (text.split('\n')[0] ?? '') : text) as Json;
}

const WRONG = SAMPLES.flatMap(({ file, format }) =>
  FORMATS.filter(({ name }) => name !== format).map(({ name }) => [file, name] as const),
);

describe('a sample', () => {
  it('is there for every format', () => {
    // Other tests keep transcripts of their own there too.
    expect(filesOfSamples()).toEqual(expect.arrayContaining(SAMPLES.map(({ file }) => file)));
    expect(new Set(SAMPLES.map(({ format }) => format))).toEqual(new Set(FORMATS.map(({ name }) => name)));
  });

  it.each(SAMPLES)('$file is claimed by $format alone', ({ file, format }) => {
    const value = firstValue(file);
    const claiming = FORMATS.filter((each) => {
      const first = Array.isArray(value) ? (value[0] as Json) : value;
      return (
        each.claims(value) || each.claimsPiece(value) || (file === 'tau-runs.json' && each.claims(first))
      );
    });
    expect(claiming.map(({ name }) => name)).toEqual([format]);
  });

  it.each(SAMPLES)(
    '$file is read, forced or not, with all its calls',
    ({ file, format, conversations, calls }) => {
      for (const options of [{}, { format }]) {
        const read = readAll(fixture(file), options);
        expect(read.map((each) => each.format)).toEqual(Array(conversations).fill(format));
        expect(read.flatMap((each) => each.calls)).toHaveLength(calls);
      }
    },
  );

  it.each(WRONG)('%s, forced to be %s, is refused with what is wrong', (file, format) => {
    const fault = faultOf(fixture(file), { format });
    expect(fault.code).toBe('transcript/shape');
    expect(fault.text).toContain('line');
  });

  it.each(SAMPLES)('$file is told the same at each reading, and no two conversations alike', ({ file }) => {
    const identities = readAll(fixture(file)).map(({ identity }) => JSON.stringify(identity));
    expect(readAll(fixture(file)).map(({ identity }) => JSON.stringify(identity))).toEqual(identities);
    expect(new Set(identities).size).toBe(identities.length);
  });

  it.each(SAMPLES)(
    '$file shows each call only what came before it, and what each result observes',
    ({ file }) => {
      for (const { segments, calls, answers } of readAll(fixture(file))) {
        for (const call of calls) {
          expect(call.before).toBeLessThanOrEqual(segments.length);
          const result = call.result === null ? null : segments[call.result]?.segment;
          if (result) expect(result.observes?.tool).toBe(call.tool);
          expect(call.cannot_tell.includes('no_result')).toBe(call.result === null);
          expect(call.cannot_tell.includes('no_arguments_recorded')).toBe(
            call.arguments.fault?.code === 'missing',
          );
        }
        expect(segments.every(({ segment }) => !segment.typed || segment.author === 'user')).toBe(true);
        expect(answers.every(({ call }) => call === null || call < calls.length)).toBe(true);
      }
    },
  );
});

describe('a file of several formats', () => {
  it('gives each line to its own', () => {
    const run = JSON.stringify(JSON.parse(fixtureText('agentdojo.json')));
    const chat = '{"messages":[{"role":"user","content":"Hi"}]}';
    const [emu = ''] = fixtureText('toolemu.jsonl').split('\n');
    const read = [...readTranscripts(fileOf([run, chat, emu].join('\n')))];
    expect(read.map(({ format, origin }) => [format, origin.line])).toEqual([
      ['agentdojo', 1],
      ['openai-chat', 2],
      ['toolemu', 3],
    ]);
  });

  it('may begin with a line that only describes it', () => {
    const text = '{"metadata":{"created_on":"2025-05-01"}}\n{"messages":[{"role":"user","content":"Hi"}]}\n';
    expect(readAll(fileOf(text)).map(({ origin }) => origin.line)).toEqual([2]);
    expect(faultOf(fileOf('{"metadata":{}}\n')).code).toBe('transcript/empty');
  });
});
