import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument, type Scalar } from 'yaml';
import type { IngressFaultCode } from '../events/ingress.ts';
import { isArray, isObject, isWellFormed, type Json } from '../events/json.ts';
import { isExactNumber } from '../events/number-lexeme.ts';
import type { Structure } from './structured.ts';

/** A longer text stays text: reading it would take longer than it is worth. */
const LONGEST = 262_144;
const DEEPEST = 64;
const NAME = '[A-Za-z_][A-Za-z0-9_.-]*';
/** A line at the margin of a mapping of names, whose lists may stand at the margin too, and of a list of mappings. */
const OF_MAPPING = new RegExp(`^(?:${NAME}:(?: .*)?|- .*|-)$`);
const OF_LIST = new RegExp(`^- (?:${NAME}:(?: .*)?)$`);
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Thrown inside only: this is no record that is read here. */
const NOT_ONE = Symbol('not a record');

/**
 * The records that a YAML text denotes. To tell them from prose, exactly: a block mapping of two keys or more, or a block
 * list whose items are all mappings that share their first key (one item of one key is none); those keys are names (letters, digits, `_ . -`);
 * every line at the margin is a key or an item. Core schema, strictly: numbers as JSON writes them (012 stays text), true,
 * false, null. No tags, anchors, aliases, comments, directives, several documents. All else stays text.
 */
export function yamlRecord(text: string): Structure {
  if (text.length > LONGEST || !looksLikeOne(text)) return null;
  const node = parsed(text);
  if (node === null) return null;
  const faults: IngressFaultCode[] = [];
  try {
    if (!isRecord(node)) return null;
    const value = jsonOf(node, 0, faults);
    const [fault] = faults;
    if (fault !== undefined) return { fault };
    return isObject(value) || isArray(value) ? { value } : null;
  } catch (thrown) {
    if (thrown === NOT_ONE) return null;
    throw thrown;
  }
}

/** Judged by the margin alone, before anything is parsed. */
function looksLikeOne(text: string): boolean {
  const end = text.indexOf('\n');
  const head = text.slice(0, end === -1 ? text.length : end).trimEnd();
  if (!OF_MAPPING.test(head) && head !== '') return false;
  const lines = text.split(/\r?\n/).filter((line) => line !== '' && !/^[ \t]/.test(line));
  const [first] = lines;
  if (first === undefined) return false;
  if (first.startsWith('-')) return lines.every((line) => OF_LIST.test(line));
  return (
    lines.filter((line) => !line.startsWith('-')).length > 1 && lines.every((line) => OF_MAPPING.test(line))
  );
}

function parsed(text: string): Node | null {
  try {
    const document = parseDocument(text, {
      schema: 'failsafe',
      uniqueKeys: false,
      strict: true,
      prettyErrors: false,
      logLevel: 'silent',
    });
    if (document.errors.length > 0 || document.warnings.length > 0) return null;
    if (document.commentBefore || document.comment) return null;
    return document.contents as Node | null;
  } catch (error) {
    // So deeply nested that the parser runs out of stack.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function isRecord(node: Node): boolean {
  if (isMap<Node>(node))
    return !node.flow && node.items.length > 1 && node.items.every(({ key }) => isName(key));
  if (!isSeq<Node>(node) || node.flow || node.items.length === 0) return false;
  const firsts = node.items.map((item) => (isMap<Node>(item) && !item.flow ? item.items[0]?.key : undefined));
  const [first] = firsts;
  if (!firsts.every(isName) || !isScalar(first)) return false;
  const [only] = node.items;
  if (node.items.length === 1 && isMap<Node>(only) && only.items.length === 1) return false;
  const same = firsts.every((key) => isScalar(key) && key.value === first.value);
  return same && node.items.every((item) => isMap<Node>(item) && item.items.every(({ key }) => isName(key)));
}

const IS_NAME = new RegExp(`^${NAME}$`);
function isName(key: Node | undefined): boolean {
  return isScalar(key) && key.type === 'PLAIN' && typeof key.value === 'string' && IS_NAME.test(key.value);
}

function jsonOf(node: Node | null, depth: number, faults: IngressFaultCode[]): Json {
  if (depth > DEEPEST) throw NOT_ONE;
  if (node === null) return null;
  if (isAlias(node) || node.comment || node.commentBefore) throw NOT_ONE;
  const { anchor, tag } = node as { anchor?: string; tag?: string };
  if (anchor !== undefined || tag !== undefined) throw NOT_ONE;
  if (isScalar(node)) return scalarOf(node, faults);
  if (isSeq<Node>(node)) return node.items.map((item) => jsonOf(item, depth + 1, faults));
  if (!isMap<Node, Node | null>(node)) throw NOT_ONE;
  const members = new Map<string, Json>();
  for (const { key, value } of node.items) {
    const name = jsonOf(key, depth + 1, []);
    const text = isScalar(key) && key.type === 'PLAIN' ? String(key.source ?? key.value) : name;
    if (typeof text !== 'string' || !isScalar(key)) throw NOT_ONE;
    if (text === '<<') throw NOT_ONE;
    if (members.has(text)) faults.push('duplicate_key');
    members.set(text, jsonOf(value, depth + 1, faults));
  }
  return Object.fromEntries(members);
}

function scalarOf(node: Scalar, faults: IngressFaultCode[]): Json {
  const text = typeof node.value === 'string' ? node.value : '';
  if (!isWellFormed(text)) faults.push('lone_surrogate');
  if (node.type !== 'PLAIN') return text;
  if (/^(?:|~|null|Null|NULL)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (!NUMBER.test(text)) return text;
  if (!isExactNumber(text)) faults.push('inexact_number');
  const value = Number(text);
  return value === 0 ? 0 : value;
}
