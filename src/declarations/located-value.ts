import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type Scalar } from 'yaml';
import type { Json } from '../events/json.ts';
import { escapeSegment } from '../events/pointer.ts';
import { exactNumber } from './exact-number.ts';
import { jsonFault } from './json-syntax.ts';
import type { LocatedProblem } from './problem.ts';
import { yamlProblem } from './yaml-problem.ts';

/** A file's value with the position of each part, or what keeps it from being read. */
export interface LocatedValue {
  /** undefined where the file could not be read at all. */
  readonly value: Json | undefined;
  readonly problems: readonly LocatedProblem[];
  /** The position of a path's key (where it has one) or value; of the nearest enclosing part where there is none. */
  where(path: string, part: 'key' | 'value'): { readonly line: number; readonly column: number };
}

export interface ReadLimits {
  /** UTF-16 code units. */
  readonly units: number;
  /** Values after aliases are written out: what an alias bomb runs into. */
  readonly values: number;
}

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const ALIASES = 100;
const DEEPEST = 100;

/**
 * Reads YAML 1.2 (core schema: `no` stays a string), or JSON where the file's name ends in `.json`. Refused: duplicate
 * keys, tags, directives, merge keys, several documents, aliases beyond a cap, numbers that a double can't hold,
 * strings that are not well-formed.
 */
export function readLocated(text: string, file: string, limits: ReadLimits): LocatedValue {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const lines = linesOf(source);
  const problems: LocatedProblem[] = [];
  const offsets = new Map<string, { key: number; value: number }>();

  const position = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const where: LocatedValue['where'] = (path, part) => {
    for (let here = path; ; here = here.slice(0, here.lastIndexOf('/'))) {
      const found = offsets.get(here);
      if (found !== undefined) return position(here === path && part === 'value' ? found.value : found.key);
      if (here === '') return { line: 1, column: 1 };
    }
  };
  const report = (offset: number, path: string, code: string, message: string, hint: string) => {
    problems.push({ file, ...position(offset), path, code, message, hint });
  };
  const unreadable = (): LocatedValue => ({ value: undefined, problems, where });

  if (source.length > limits.units) {
    report(0, '', 'file/too_long', `The file is longer than ${limits.units} characters.`, 'Split it.');
    return unreadable();
  }
  if (/\.json$/i.test(file)) {
    const fault = jsonFault(source);
    if (fault !== null) {
      const hint =
        'Correct it there; comments, single quotes and trailing commas are not JSON (YAML has comments).';
      report(fault.offset, '', 'file/not_json', `This is not JSON: expected ${fault.expected}.`, hint);
      return unreadable();
    }
  }

  const document = parse(source);
  if (document === null) {
    report(0, '', 'file/too_deep', 'The file is nested too deeply to be read.', 'Make it flatter.');
    return unreadable();
  }
  for (const fault of [...document.errors, ...document.warnings]) {
    const { code, message, hint } = yamlProblem(fault);
    report(fault.pos[0], '', code, message, hint);
  }
  if (document.directives?.yaml.explicit === true && document.directives.yaml.version !== '1.2') {
    const hint = 'Remove the %YAML line: in YAML 1.1 an unquoted no would be false.';
    report(0, '', 'file/yaml_version', 'Only YAML 1.2 is read.', hint);
  }
  if (problems.length > 0) return unreadable();

  const anchors = new Map<string, Node>();
  let aliases = 0;
  let values = 0;

  const read = (node: Node | null, path: string, depth: number, offset: number): Json => {
    values += 1;
    if (values > limits.values || depth > DEEPEST) {
      if (values <= limits.values + 1 || depth > DEEPEST) {
        const hint = 'Write it flatter, or without aliases that repeat each other.';
        report(offset, path, 'file/too_large', 'Written out, this holds too many or too deep values.', hint);
      }
      values = limits.values + 2;
      return null;
    }
    if (node === null) return null;
    const start = node.range?.[0] ?? offset;
    if (isAlias(node)) {
      aliases += 1;
      const target = anchors.get(node.source);
      if (target === undefined || aliases > ALIASES) {
        const message =
          target === undefined ? `There is no anchor &${node.source} before this.` : 'Too many aliases.';
        report(start, path, 'file/alias', message, 'Write the value out.');
        return null;
      }
      return read(target, path, depth + 1, start);
    }
    if (node.tag !== undefined) {
      report(
        start,
        path,
        'file/tag',
        `The tag ${node.tag} is not read.`,
        'Remove it; quote what is to be text.',
      );
    }
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (isScalar(node)) return scalar(node, path, start);
    if (isSeq<Node>(node)) {
      return node.items.map((item, i) => {
        const at = item?.range?.[0] ?? start;
        const here = `${path}/${i}`;
        offsets.set(here, { key: at, value: at });
        return read(item, here, depth + 1, at);
      });
    }
    if (!isMap<Node, Node | null>(node)) return null;
    const object: { [key: string]: Json } = {};
    const lineOf = new Map<string, number>();
    for (const pair of node.items) {
      const keyAt = pair.key.range?.[0] ?? start;
      const key = isScalar(pair.key) ? String(pair.key.value) : '';
      const here = `${path}/${escapeSegment(key)}`;
      const first = lineOf.get(key);
      if (first !== undefined) {
        const message = `"${key}" stands here twice, first on line ${first}.`;
        report(
          keyAt,
          here,
          'file/duplicate_key',
          message,
          'Keep one: which of the two counts is not defined.',
        );
        continue;
      }
      lineOf.set(key, position(keyAt).line);
      if (!keyIsFit(pair.key, key, keyAt, here)) continue;
      const valueAt = pair.value?.range?.[0] ?? keyAt;
      offsets.set(here, { key: keyAt, value: valueAt });
      object[key] = read(pair.value, here, depth + 1, valueAt);
    }
    return object;
  };

  const keyIsFit = (node: Node, key: string, offset: number, path: string): boolean => {
    if (!isScalar(node) || node.tag !== undefined || node.anchor !== undefined) {
      report(offset, path, 'file/key', 'A key is plain text, without anchor or tag.', 'Write the key out.');
      return false;
    }
    if (key === '<<') {
      report(offset, path, 'file/merge_key', 'The merge key << is not read.', 'Write the keys out.');
      return false;
    }
    if (key === '__proto__' || LONE_SURROGATE.test(key)) {
      report(offset, path, 'file/key', 'This key can not be used.', 'Give it another name.');
      return false;
    }
    return true;
  };

  const scalar = (node: Scalar, path: string, start: number): Json => {
    const { value } = node;
    if (typeof value === 'string') {
      if (LONE_SURROGATE.test(value)) {
        const hint = 'Complete the surrogate pair, or remove it.';
        report(start, path, 'file/not_well_formed', 'This text holds half of a character.', hint);
      }
      return value;
    }
    if (typeof value === 'number' || typeof value === 'bigint') {
      const lexeme = node.source ?? String(value);
      const exact = exactNumber(lexeme);
      if (exact === null) {
        const message = `The number ${lexeme} can not be held exactly.`;
        const hint = 'Write it in quotes if it is an identifier, otherwise as a plain decimal number.';
        report(start, path, 'file/inexact_number', message, hint);
      }
      return exact;
    }
    return value === null || typeof value === 'boolean' ? value : String(value);
  };

  const contents = document.contents;
  const start = contents?.range[0] ?? 0;
  offsets.set('', { key: start, value: start });
  const value = read(contents, '', 0, start);
  return problems.length > 0 ? unreadable() : { value, problems, where };
}

/** Counted here: the parser's own count misses the ends of lines inside a key that it refuses. */
function linesOf(source: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  return lines;
}

/** null where the nesting is too deep for the parser. */
function parse(source: string) {
  try {
    return parseDocument(source, {
      version: '1.2',
      schema: 'core',
      strict: true,
      stringKeys: true,
      merge: false,
      resolveKnownTags: false,
      // Checked in the walk: the library's check is quadratic in the number of keys.
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
    });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
