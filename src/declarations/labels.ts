import type { Pointer } from '../events/pointer.ts';
import { SOURCES } from '../events/vocabulary.ts';

/** What stands in braces at a label's end. */
export type LabelAttribute =
  /** The fact (or measuring source) and the field in it. */
  | { readonly name: 'by'; readonly of: string; readonly pointer: Pointer }
  /** The arguments that a [Verify] is bound to. */
  | { readonly name: 'on'; readonly pointers: readonly Pointer[] }
  /** A CEL expression; `json` is the JSON string as it was written. */
  | { readonly name: 'require'; readonly expression: string; readonly json: string }
  /** No standing range satisfies it. */
  | { readonly name: 'each_time' };

interface Written {
  /** 1-based line of the description. */
  readonly line: number;
  /** What stands before the bracket: at most three spaces, then perhaps `- `. */
  readonly lead: string;
  /** In the order they were written; each name once. */
  readonly attributes: readonly LabelAttribute[];
}

/** A label in a tool's description. A label can only block (RULES, "Labels in tool descriptions"). */
export type Label =
  | (Written & {
      readonly kind: 'required_argument';
      readonly pointer: Pointer;
      readonly text: string | null;
    })
  | (Written & { readonly kind: 'required_condition'; readonly id: string; readonly text: string })
  | (Written & { readonly kind: 'verify'; readonly id: string; readonly text: string })
  | (Written & { readonly kind: 'notice'; readonly id: string; readonly text: string });

/** A line that set out to be a label and is none: its slot is unknown, route definition_repair. */
export interface LabelFault {
  readonly line: number;
  readonly slot: `label:${number}`;
}

export interface Labels {
  readonly items: readonly Label[];
  readonly faults: readonly LabelFault[];
}

/** UTF-16 code units. */
const LONGEST_LINE = 1000;
const ID = /^[a-z][a-z0-9_.-]{0,63}$/;
const POINTER = /^(\/([^~/]|~[01])*)+$/;
const LINE = /^( {0,3}(?:- )?)\[(Required|Verify|Notice)\] ([\s\S]*)$/;

/** The labels of a description, one a line. What does not set out to be a label is prose. */
export function labelsOf(description: string): Labels {
  const items: Label[] = [];
  const faults: LabelFault[] = [];
  description.split('\n').forEach((whole, index) => {
    const line = index + 1;
    const text = whole.endsWith('\r') ? whole.slice(0, -1) : whole;
    const label = text.length <= LONGEST_LINE ? labelOf(text, line) : null;
    if (label !== null) items.push(label);
    else if (isAttempt(text)) faults.push({ line, slot: `label:${line}` });
  });
  return { items, faults };
}

/** The line of a label, as it was written. */
export function printLabel(label: Label): string {
  const word = label.kind === 'verify' ? 'Verify' : label.kind === 'notice' ? 'Notice' : 'Required';
  const subject = label.kind === 'required_argument' ? label.pointer : label.id;
  const text = label.text === null ? '' : `: ${label.text}`;
  const attributes = label.attributes.map(printAttribute);
  const braces = attributes.length === 0 ? '' : ` {${attributes.join('; ')}}`;
  return `${label.lead}[${word}] ${subject}${text}${braces}`;
}

/** The attribute of this name, if the label has it. */
export function attributeOf<Name extends LabelAttribute['name']>(
  label: Label,
  name: Name,
): Extract<LabelAttribute, { name: Name }> | undefined {
  return label.attributes.find((each): each is Extract<LabelAttribute, { name: Name }> => each.name === name);
}

function labelOf(text: string, line: number): Label | null {
  const [, lead, word, rest] = LINE.exec(text) ?? [];
  if (lead === undefined || word === undefined || rest === undefined) return null;
  const brace = rest.indexOf(' {');
  const body = brace === -1 ? rest : rest.slice(0, brace);
  if (body.includes('{') || body.includes('}')) return null;
  const attributes = brace === -1 ? [] : attributesOf(rest.slice(brace + 1));
  if (attributes === null) return null;
  const written = { line, lead, attributes };

  const colon = body.indexOf(': ');
  const subject = colon === -1 ? body : body.slice(0, colon);
  const said = colon === -1 ? null : body.slice(colon + 2);
  if (said !== null && isBlank(said)) return null;
  if (word === 'Required' && subject.startsWith('/')) {
    return POINTER.test(subject)
      ? { kind: 'required_argument', pointer: subject, text: said, ...written }
      : null;
  }
  if (said === null || !ID.test(subject)) return null;
  if (word === 'Required') return { kind: 'required_condition', id: subject, text: said, ...written };
  if (word === 'Verify') return { kind: 'verify', id: subject, text: said, ...written };
  return attributes.length === 0 ? { kind: 'notice', id: subject, text: said, ...written } : null;
}

/** The first bracket group (an inner one before the one around it) says one of the words, however it is written. */
function isAttempt(text: string): boolean {
  let open = -1;
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === '[') open = i;
    if (text[i] !== ']' || open === -1) continue;
    const word = asciiFold(text.slice(open + 1, i));
    return word === 'required' || word === 'verify' || word === 'notice' || word === 'confirm';
  }
  return false;
}

const ATTRIBUTE = {
  by: /by=([A-Za-z0-9][A-Za-z0-9_.:-]{0,127})#((?:\/(?:[^~/{};]|~[01])*)+)/y,
  on: /on=((?:\/(?:[^~/{};,]|~[01])*)+(?:,(?:\/(?:[^~/{};,]|~[01])*)+)*)/y,
  require: /require=("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")/y,
  each_time: /each_time/y,
} as const;

/** The attributes in `{…}`, or null where the braces hold anything else. */
function attributesOf(braces: string): LabelAttribute[] | null {
  const found: LabelAttribute[] = [];
  let at = 1;
  for (;;) {
    const next = attributeAt(braces, at);
    if (next === null || found.some((each) => each.name === next.attribute.name)) return null;
    found.push(next.attribute);
    at = next.end;
    if (braces.startsWith('; ', at)) at += 2;
    else return at === braces.length - 1 && braces.endsWith('}') ? found : null;
  }
}

function attributeAt(text: string, at: number): { attribute: LabelAttribute; end: number } | null {
  for (const name of ['by', 'on', 'require', 'each_time'] as const) {
    const pattern = ATTRIBUTE[name];
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) continue;
    const end = at + found[0].length;
    const [, first = '', second = ''] = found;
    if (name === 'each_time') return { attribute: { name }, end };
    if (name === 'on') return { attribute: { name, pointers: first.split(',') }, end };
    if (name === 'require') {
      return { attribute: { name, expression: String(JSON.parse(first)), json: first }, end };
    }
    // A condition is measured: none of the gate's own sources can stand for the measurement.
    return (SOURCES as readonly string[]).includes(first)
      ? null
      : { attribute: { name, of: first, pointer: second }, end };
  }
  return null;
}

function printAttribute(attribute: LabelAttribute): string {
  if (attribute.name === 'by') return `by=${attribute.of}#${attribute.pointer}`;
  if (attribute.name === 'on') return `on=${attribute.pointers.join(',')}`;
  if (attribute.name === 'require') return `require=${attribute.json}`;
  return attribute.name;
}

/** Trimmed and in ASCII lower case. */
function asciiFold(text: string): string {
  let out = '';
  for (const c of text) out += c >= 'A' && c <= 'Z' ? String.fromCharCode(c.charCodeAt(0) + 32) : c;
  let start = 0;
  let end = out.length;
  while (start < end && isSpace(out[start])) start += 1;
  while (end > start && isSpace(out[end - 1])) end -= 1;
  return out.slice(start, end);
}

function isBlank(text: string): boolean {
  for (const c of text) if (!isSpace(c)) return false;
  return true;
}

function isSpace(c: string | undefined): boolean {
  return (
    c === ' ' || c === '\t' || c === '\r' || c === '\v' || c === '\f' || c === '\u00a0' || c === '\ufeff'
  );
}
