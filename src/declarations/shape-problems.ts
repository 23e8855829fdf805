import type { z } from 'zod';
import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import { at, pointerOf } from '../events/pointer.ts';
import { nearest } from './nearest.ts';
import type { Problem } from './problem.ts';
import { checklistJsonSchema } from './schema.ts';

type Issue = z.core.$ZodIssue;

/** A problem of the file's shape. `part` says whether its key or its value is to be shown. */
export interface ShapeProblem extends Problem {
  readonly part: 'key' | 'value';
}

/** What zod found, in words for the person who wrote the file. */
export function shapeProblems(issues: readonly Issue[], value: Json): ShapeProblem[] {
  return issues.flatMap((issue) => problemsOf(issue, value));
}

function problemsOf(issue: Issue, value: Json): ShapeProblem[] {
  const segments = issue.path.map((segment) => String(segment));
  const path = pointerOf(segments);
  const name = nameOf(segments);
  const found = at(value, path);
  const one = (part: 'key' | 'value', code: string, message: string, hint: string): ShapeProblem[] => [
    { path, part, code: `shape/${code}`, message, hint },
  ];

  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(segments, key));
  if (issue.code === 'invalid_key') {
    const wanted = issue.issues[0]?.message ?? 'another name';
    const hint = /^[^/].*/.test(name) && wanted.includes('Pointer') ? `Write /${name}.` : `Write ${wanted}.`;
    return one('key', 'key', `"${name}" can not stand here.`, hint);
  }
  if (found === undefined) {
    const hint = MISSING[name] ?? `Add "${name}:".`;
    return one('key', 'missing', `"${name}" is missing${segments.length > 1 ? '' : ' at the top'}.`, hint);
  }
  if (issue.code === 'invalid_union') {
    if (segments[0] === 'readers') return readerProblems(issue, path, found);
    return one(
      'value',
      'type',
      `${name} is ${kindOf(found)}.`,
      UNION_HINTS[name] ?? 'See docs/checklist.md.',
    );
  }
  if (issue.code === 'invalid_value') {
    const allowed = issue.values.map((entry) => String(entry));
    const near = typeof found === 'string' ? nearest(found, allowed) : undefined;
    const hint = near === undefined ? `Write ${list(allowed)}.` : `Did you mean "${near}"?`;
    return one('value', 'value', `${name} can not be ${shown(found)}.`, hint);
  }
  if (issue.code === 'invalid_type') {
    return one('value', 'type', `${name} is ${kindOf(found)}.`, typeHint(issue.expected, found, name));
  }
  if (issue.code === 'invalid_format') {
    return one('value', 'form', `${name} can not be ${shown(found)}.`, formHint(name, found, issue.message));
  }
  if (issue.code === 'too_small') return one('value', 'empty', `${name} is empty.`, 'Give at least one.');
  return one('value', 'other', `${name} does not fit.`, 'See docs/checklist.md.');
}

/** A list's item is called by its list: `no[0]`. */
function nameOf(segments: readonly string[]): string {
  const last = segments.at(-1) ?? 'the file';
  return /^[0-9]+$/.test(last) && segments.length > 1 ? `${segments.at(-2)}[${last}]` : last;
}

const MISSING: { readonly [name: string]: string } = {
  grounds: 'Begin the file with "grounds: 1".',
  checklist: 'Name it, for example "checklist: bank/policy".',
  declared_by: 'Say whose rules these are: "declared_by: system", provider or user.',
  measured_by: 'Name the tools that measure it: "measured_by: [{ tool: get_order }]".',
  require: 'Give the expression that must be true: "require: \'args.amount <= 300\'".',
};

const UNION_HINTS: { readonly [name: string]: string } = {
  reversible: 'Write true, false, or an expression over args in quotes.',
};

const MOVED: { readonly [key: string]: string } = {
  elements: 'Use groups: "groups: [{ of: [/items/*], records: [...] }]".',
  pairs: 'Use groups: "groups: [{ of: [/item_ids/*, /new_item_ids/*] }]".',
  timing_words: 'Use timing: "timing: { scheduled: { words: [...], detail: datetime } }".',
  source: 'Use "sources", a list.',
  false: 'Some YAML tools turn an unquoted no into false. Write "no" in quotes.',
  true: 'Some YAML tools turn an unquoted yes into true. Write "yes" in quotes.',
};

function unknownKey(parent: readonly string[], key: string): ShapeProblem {
  const known = keysAt(parent);
  const near = nearest(key, known);
  const homes = homesOf(key);
  const hint =
    near !== undefined
      ? `Did you mean "${near}"?`
      : (MOVED[key] ??
        (homes.length > 0
          ? `It belongs under ${list(homes)}.`
          : known.length > 0
            ? `Known here: ${known.join(', ')}.`
            : 'Remove it.'));
  return {
    path: pointerOf([...parent, key]),
    part: 'key',
    code: 'shape/unknown_key',
    message: `"${key}" is not known ${parent.length === 0 ? 'at the top' : `in ${parent.at(-1)}`}.`,
    hint,
  };
}

const READERS = ['one_of', 'boolean', 'integer', 'decimal', 'money', 'date', 'datetime'];

function readerProblems(issue: Issue & { code: 'invalid_union' }, path: string, found: Json): ShapeProblem[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const keys = isObject(found) ? Object.keys(found) : [];
  const [key] = keys;
  const chosen = key === undefined ? -1 : READERS.indexOf(key);
  if (keys.length === 1 && chosen >= 0) {
    return shapeProblems(issue.errors[chosen] ?? [], found).map((problem) => ({
      ...problem,
      path: `${path}${problem.path}`,
    }));
  }
  const near = key === undefined ? undefined : nearest(key, READERS);
  const hint =
    keys.length === 1 && near !== undefined
      ? `Did you mean "${near}"?`
      : `Give it one of ${READERS.join(', ')}.`;
  const message = `The reader "${name}" has ${keys.length === 1 ? `the key "${key}"` : 'not exactly one key'}.`;
  return [{ path, part: 'value', code: 'shape/reader', message, hint }];
}

function typeHint(expected: string, found: Json, name: string): string {
  if (expected === 'string') {
    if (typeof found === 'boolean') {
      const word = found ? 'yes' : 'no';
      return `If you mean the word, write it in quotes: "${word}" or "${found}".`;
    }
    if (typeof found === 'number') return `Write it in quotes: "${found}".`;
    return 'Write one text.';
  }
  if (expected === 'array') return `Write a list: ${name}: [${isObject(found) ? '…' : shown(found)}].`;
  if (expected === 'boolean') return 'Write true or false.';
  if (found === null) return 'Write {} where nothing more is to be said.';
  return 'Write a mapping: keys with values below them.';
}

function formHint(name: string, found: Json, wanted: string): string {
  if (name === 'zone' && typeof found === 'string' && found.includes('/')) {
    return 'Write the offset that holds, for example -05:00: a region’s rules change with the machine’s zone data.';
  }
  if (wanted.includes('Pointer') && typeof found === 'string' && !found.startsWith('/')) {
    return `Write /${found}.`;
  }
  return wanted.startsWith('Invalid') ? 'See docs/checklist.md for its form.' : `Write ${wanted}.`;
}

function kindOf(value: Json): string {
  if (value === null) return 'empty';
  if (isArray(value)) return 'a list';
  if (isObject(value)) return 'a mapping';
  return typeof value === 'string' ? 'a text' : typeof value === 'number' ? 'a number' : String(value);
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function list(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** The keys that the published schema knows below a path. */
function keysAt(path: readonly string[]): string[] {
  let here: Json | undefined = schema();
  for (const segment of path) {
    if (!isObject(here)) return [];
    here = at(here, pointerOf(['properties', segment])) ?? here.additionalProperties ?? here.items;
  }
  if (!isObject(here)) return [];
  if (isObject(here.properties)) return Object.keys(here.properties);
  const names = at(here, '/propertyNames/enum');
  return isArray(names) ? names.map(String) : [];
}

/** Where in the format a key stands. */
function homesOf(key: string): string[] {
  const homes: string[] = [];
  const visit = (here: Json | undefined, path: string): void => {
    if (!isObject(here)) return;
    if (isObject(here.properties)) {
      for (const [name, child] of Object.entries(here.properties)) {
        if (name === key) homes.push(path === '' ? 'the top' : path);
        visit(child, path === '' ? name : `${path}.${name}`);
      }
    }
    visit(here.additionalProperties, `${path}.<name>`);
    visit(here.items, path);
  };
  visit(schema(), '');
  return homes.slice(0, 3);
}

let cached: JsonObject | undefined;
function schema(): JsonObject {
  cached ??= checklistJsonSchema();
  return cached;
}
