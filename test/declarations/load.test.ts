import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { exactNumber } from '../../src/declarations/exact-number.ts';
import { jsonFault } from '../../src/declarations/json-syntax.ts';
import { loadChecklistFile, parseChecklist } from '../../src/declarations/load.ts';
import { readLocated } from '../../src/declarations/located-value.ts';
import { nearest } from '../../src/declarations/nearest.ts';
import type { LocatedProblem } from '../../src/declarations/problem.ts';
import { isGroundsError } from '../../src/errors.ts';
import { BANK_YAML, bank } from '../checklists.ts';

const HEAD = 'grounds: 1\nchecklist: a\ndeclared_by: system\n';

function failure(text: string, file = 'c.yaml') {
  try {
    parseChecklist(text, file);
  } catch (error) {
    if (isGroundsError(error)) return error;
    throw error;
  }
  throw new Error('it was read without complaint');
}

function problems(text: string, file = 'c.yaml'): LocatedProblem[] {
  return failure(text, file).facts.problems as LocatedProblem[];
}

describe('a checklist file', () => {
  test('is read with every default in place', () => {
    const { checklist } = parseChecklist(HEAD, 'c.yaml');
    expect(checklist).toMatchObject({ zone: 'UTC', tools: {}, intent: { yes: [], single_tool: false } });
    expect(bank().checklist.facts.account?.take).toBe('latest');
  });

  test('keeps an unquoted no as text', () => {
    expect(
      parseChecklist(`${HEAD}intent: { yes: [yes], no: [no, off] }\n`, 'c.yaml').checklist.intent.no,
    ).toEqual(['no', 'off']);
  });

  test('has one digest, whatever its form, comments, key order and written defaults', () => {
    const json = JSON.stringify(parse(BANK_YAML, { stringKeys: true }), null, '\t');
    expect(parseChecklist(json, 'bank.json')).toEqual(bank());
    expect(parseChecklist(`# a comment\n${BANK_YAML}zone: UTC\n`, 'b.yml').digest).toBe(bank().digest);
    expect(parseChecklist(`\uFEFF${BANK_YAML}`, 'b.yml').digest).toBe(bank().digest);
    expect(parseChecklist(BANK_YAML.replace('urgent', 'urgently'), 'b.yml').digest).not.toBe(bank().digest);
  });

  test('takes an alias for what it stands for', () => {
    const text = `${HEAD}intent: { yes: &words [yes], act_words: { transfer: *words } }\n`;
    expect(parseChecklist(text, 'c.yaml').checklist.intent.act_words).toEqual({ transfer: ['yes'] });
  });

  test.each<[string, string, number, number, string, string]>([
    ['a missing party', 'grounds: 1\nchecklist: a\n', 1, 1, 'shape/missing', 'declared_by: system'],
    ['an empty file', '# nothing\n', 1, 1, 'file/empty', 'grounds: 1'],
    [
      'trust in whoever has no name',
      `${HEAD}trusts_annotations_of: [shop, default]\n`,
      4,
      31,
      'shape/form',
      'one that has a name',
    ],
    ['a region as zone', `${HEAD}zone: America/New_York\n`, 4, 7, 'shape/form', '-05:00'],
    ['a misspelt key', `${HEAD}intents: {}\n`, 4, 1, 'shape/unknown_key', '"intent"'],
    ['a key that belongs elsewhere', `${HEAD}act_words: {}\n`, 4, 1, 'shape/unknown_key', 'under intent'],
    ['a key of an older format', `${HEAD}pairs: []\n`, 4, 1, 'shape/unknown_key', 'groups'],
    [
      'a pointer without its slash',
      `${HEAD}tools:\n  t:\n    slots:\n      amount: {}\n`,
      7,
      7,
      'shape/key',
      'Write /amount.',
    ],
    ['a no turned into false', `${HEAD}intent:\n  no: [false]\n`, 5, 8, 'shape/type', '"no"'],
    ['a no turned into a key', `${HEAD}intent:\n  false: [x]\n`, 5, 3, 'shape/unknown_key', '"no"'],
    ['a number for a text', `${HEAD}written_by: 7\n`, 4, 13, 'shape/type', '"7"'],
    ['a word for a list', `${HEAD}tool_errors: Error\n`, 4, 14, 'shape/type', 'tool_errors: ["Error"]'],
    ['an empty tool', `${HEAD}tools:\n  t:\n`, 5, 5, 'shape/type', '{}'],
    [
      'a misspelt choice',
      `${HEAD}tools: { t: { slots: { /a: { select: members } } } }\n`,
      4,
      38,
      'shape/value',
      '"member"',
    ],
    [
      'a misspelt kind of reader',
      `${HEAD}readers:\n  a: { oneof: { b: [c] } }\n`,
      5,
      6,
      'shape/reader',
      '"one_of"',
    ],
    [
      'a reader of two kinds',
      `${HEAD}readers:\n  a: { one_of: { b: [c] }, integer: { 1: [d] } }\n`,
      5,
      6,
      'shape/reader',
      'one of',
    ],
    [
      'a reader without words',
      `${HEAD}readers:\n  a: { one_of: { b: [] } }\n`,
      5,
      21,
      'shape/empty',
      'at least one',
    ],
    ['a wrong reversible', `${HEAD}tools: { t: { reversible: 3 } }\n`, 4, 27, 'shape/type', 'expression'],
    ['a fact without a source', `${HEAD}facts: { f: {} }\n`, 4, 10, 'shape/missing', 'measured_by'],
    ['a key given twice', `${HEAD}zone: UTC\nzone: EST\n`, 5, 1, 'file/duplicate_key', 'Keep one'],
    [
      'an inexact number',
      `${HEAD}tools: { t: { schema: { maximum: 1915883588174806058 } } }\n`,
      4,
      34,
      'file/inexact_number',
      'quotes',
    ],
    [
      'a hexadecimal number',
      `${HEAD}tools: { t: { schema: { maximum: 0x1F } } }\n`,
      4,
      34,
      'file/inexact_number',
      'decimal',
    ],
    [
      'an endless number',
      `${HEAD}tools: { t: { schema: { maximum: .inf } } }\n`,
      4,
      34,
      'file/inexact_number',
      'decimal',
    ],
    ['a tag', `${HEAD}written_by: !!str 7\n`, 4, 19, 'file/tag', 'quote'],
    ['an unknown tag', `${HEAD}written_by: !me x\n`, 4, 13, 'yaml/tag_resolve_failed', 'tag'],
    ['a merge key', `${HEAD}intent: { <<: { yes: [a] } }\n`, 4, 11, 'file/merge_key', 'out'],
    ['YAML 1.1', `%YAML 1.1\n---\n${HEAD}`, 1, 1, 'file/yaml_version', '%YAML'],
    ['two documents', `${HEAD}---\n${HEAD}`, 4, 1, 'yaml/multiple_docs', 'Keep one'],
    ['a tab', `${HEAD}intent:\n\tyes: [a]\n`, 5, 1, 'yaml/tab_as_indent', 'spaces'],
    ['an alias without anchor', `${HEAD}tool_errors: *x\n`, 4, 14, 'file/alias', 'out'],
    ['half a character', `${HEAD}written_by: "\\ud800"\n`, 4, 13, 'file/not_well_formed', 'surrogate'],
    ['a key that is a list', `${HEAD}? [a]\n: 1\n`, 4, 3, 'yaml/non_string_key', 'quotes'],
    ['a reserved key', `${HEAD}tools: { __proto__: {} }\n`, 4, 10, 'file/key', 'another name'],
    ['a list at the top', '- a\n', 1, 1, 'shape/type', 'mapping'],
  ])('with %s is refused at its line', (_, text, line, column, code, hint) => {
    const [problem, ...more] = problems(text);
    expect(more.filter((each) => each.code === code)).toEqual([]);
    expect(problem).toMatchObject({ file: 'c.yaml', line, column, code });
    expect(problem?.hint).toContain(hint);
  });

  test('tells all its problems, in the order of the file, and shows the first ten', () => {
    const slots = Array.from({ length: 14 }, (_, i) => `      a${i}: {}\n`).join('');
    const error = failure(`${HEAD}tools:\n  t:\n    slots:\n${slots}`);
    expect(error).toMatchObject({ code: 'checklist/invalid', exit: 2 });
    const found = error.facts.problems as LocatedProblem[];
    expect(found.map(({ line }) => line)).toEqual(Array.from({ length: 14 }, (_, i) => 7 + i));
    expect(error.message.match(/^c\.yaml:/gm)).toHaveLength(10);
    expect(error.message).toContain('c.yaml:7:7  "a0" can not stand here.  →  Write /a0.');
    expect(error.message).toContain('… and 4 more.');
  });

  test('with an alias bomb is refused, soon', () => {
    const levels = Array.from(
      { length: 12 },
      (_, i) => `b${i + 1}: &b${i + 1} [${Array(9).fill(`*b${i}`).join(', ')}]\n`,
    );
    const started = performance.now();
    expect(
      problems(`b0: &b0 [x]\n${levels.join('')}`).some(
        ({ code }) => code === 'file/alias' || code === 'file/too_large',
      ),
    ).toBe(true);
    expect(problems(`${HEAD}tools: &t { a: *t }\n`)[0]?.code).toMatch(/^file\//);
    expect(problems('['.repeat(20_000))[0]?.code).toBeDefined();
    expect(problems(`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`, 'c.json')[0]?.code).toBe('file/not_json');
    expect(problems(' '.repeat(1_000_001))[0]?.code).toBe('file/too_long');
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test.each([
    ['a comment', '{\n  // x\n}', 2, 3],
    ['a trailing comma', '{"a": 1,\n}', 2, 1],
    ['single quotes', "{'a': 1}", 1, 2],
    ['a bare key', '{a: 1}', 1, 2],
    ['something behind it', '{}\n{}', 2, 1],
  ])('named .json with %s is not JSON', (_, text, line, column) => {
    expect(problems(text, 'c.json')).toMatchObject([{ line, column, code: 'file/not_json' }]);
  });

  test('is found by its path, or the error says why not', () => {
    const folder = mkdtempSync(join(tmpdir(), 'checklist-'));
    try {
      writeFileSync(join(folder, 'a.yaml'), BANK_YAML);
      writeFileSync(join(folder, 'b.yaml'), Buffer.from([0x61, 0xff]));
      expect(loadChecklistFile(join(folder, 'a.yaml'))).toEqual(bank());
      expect(() => loadChecklistFile(join(folder, 'b.yaml'))).toThrow(/UTF-8/);
      expect(() => loadChecklistFile(join(folder, 'none.yaml'))).toThrow(/ENOENT/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  law.prop(
    [
      fc.nat({ max: BANK_YAML.length }),
      fc.nat({ max: 8 }),
      fc.constantFrom('', ' ', ':', '{', '\n', '"', '*a', '- ', '/', 'é'),
    ],
    {
      numRuns: 150,
      // A key over two lines, whose faults the parser counted to the first.
      examples: [[136, 8, 'é']],
    },
  )('cut and patched anywhere is read or refused with positions, never a crash', (at, cut, patch) => {
    const text = `${BANK_YAML.slice(0, at)}${patch}${BANK_YAML.slice(at + cut)}`;
    const lines = text.split('\n');
    try {
      parseChecklist(text, 'c.yaml');
    } catch (error) {
      if (!isGroundsError(error)) throw error;
      for (const { line, column, message, hint } of error.facts.problems as LocatedProblem[]) {
        expect(line).toBeLessThanOrEqual(lines.length);
        expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
        expect(message.length * hint.length).toBeGreaterThan(0);
      }
    }
  });
});

describe('the reading of JSON', () => {
  const limits = { units: 100_000, values: 10_000 };

  law.prop(
    [
      fc.json({ noUnicodeString: false }),
      fc.nat(),
      fc.nat({ max: 2 }),
      fc.constantFrom('', ',', '"', '\\', '0', 'e', '-', '.', ' ', '}', '\t', '\u0001'),
    ],
    {
      numRuns: 2000,
    },
  )('accepts exactly what JSON.parse accepts', (json, at, cut, patch) => {
    const place = at % (json.length + 1);
    const text = `${json.slice(0, place)}${patch}${json.slice(place + cut)}`;
    let fine = true;
    try {
      JSON.parse(text);
    } catch {
      fine = false;
    }
    expect(jsonFault(text) === null).toBe(fine);
  });

  law.prop([fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(undefined, 2, '\t')], { numRuns: 500 })(
    'gives the value that JSON.parse gives, or says why not',
    (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const read = readLocated(text, 'a.json', limits);
      if (read.value !== undefined) expect(JSON.stringify(read.value)).toBe(JSON.stringify(JSON.parse(text)));
      else
        expect(
          read.problems
            .map(({ code }) => code)
            .filter(
              (code) =>
                !['file/inexact_number', 'file/not_well_formed', 'file/key', 'file/merge_key'].includes(code),
            ),
        ).toEqual([]);
    },
  );
});

describe('a number', () => {
  test.each([
    ['0', 0],
    ['-0', 0],
    ['0.10', 0.1],
    ['1e3', 1000],
    ['100', 100],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', null],
    ['0.1000000000000000055', null],
    ['1e400', null],
    ['1e-400', null],
    ['01', null],
    ['+1', null],
    ['.5', null],
  ])('%s is exact or refused', (lexeme, value) => {
    expect(exactNumber(lexeme)).toBe(value);
  });

  law.prop([fc.double({ noNaN: true, noDefaultInfinity: true })])('written shortest is exact', (value) => {
    const integerBeyond = Number.isInteger(value) && !Number.isSafeInteger(value);
    expect(exactNumber(JSON.stringify(value))).toBe(integerBeyond ? null : value === 0 ? 0 : value);
  });
});

describe('the nearest name', () => {
  test.each([
    ['slot', ['slots', 'sources'], 'slots'],
    ['recieve', ['receive', 'retrieve'], 'receive'],
    ['Act-Words', ['act_words'], 'act_words'],
    ['xyz', ['slots'], undefined],
    ['ab', ['cd'], undefined],
  ])('of %s among %s is %s', (name, names, wanted) => {
    expect(nearest(name, names)).toBe(wanted);
  });
});
