import { encode } from '../events/canonical.ts';
import type { Json } from '../events/json.ts';
import type { Carried, Read, Said, Slot, Where } from './schema.ts';
import { CUT, columnsOf, cutMiddle, shown } from './shown.ts';

/** The longest quote that a line holds whole, in columns. */
const QUOTE = 48;
const VALUE = 28;

/** Words in quotation marks, fit for a terminal; a long quote loses its middle. */
export function quote(text: string, columns = QUOTE): string {
  return `“${cutMiddle(shown(text), columns)}”`;
}

/** A value as JSON, so that "5" and 5 stay apart. */
export function valueText(value: Json, columns = VALUE): string {
  return cutMiddle(shown(encode(value)), columns);
}

/** Where something stands, so that it can be looked up: `message 2:13–17`, `get_account /available, message 4`. */
export function placeText(where: Where): string {
  if (where.in === 'entry') return entryText(where);
  const tool = where.tool === null ? '' : `${shown(where.tool)} `;
  if (where.in === 'json') {
    const of = where.of === 'arguments' ? 'arguments ' : '';
    const pointer = where.pointer === '' ? 'result' : shown(where.pointer);
    return `${tool}${of}${pointer}, message ${where.message}`;
  }
  return `${tool}message ${where.message}:${where.start}–${where.end}`;
}

function entryText(where: Where & { in: 'entry' }): string {
  const who = where.by === null ? '' : ` by ${whoText(where.by)}`;
  switch (where.kind) {
    case 'setting':
      return `setting ${shown(where.name ?? '')}${where.attested_by === 'caller' ? ', only the caller says so' : ''}`;
    case 'answer':
    case 'approval':
      return `${where.kind}${who}${where.question === null ? '' : ` to ${quote(where.question)}`}`;
    default:
      return `${where.kind ?? 'entry'} ${where.entry}`;
  }
}

/** Who, and how that is known: a free-text name says nothing. */
function whoText(by: { readonly user: string | null; readonly known_by: string }): string {
  return `${by.user === null ? 'the user' : shown(by.user)} (known by: ${by.known_by})`;
}

/** The words at a place, with the place. */
export function quotedAt(where: Where, columns = QUOTE): string {
  if (where.sealed) return `sealed or erased, ${placeText(where)}`;
  if (where.quoted === null) return `nothing can be read at ${placeText(where)}`;
  if (where.in === 'json') return placeText(where);
  return `${quote(where.quoted, columns)} ${placeText(where)}`;
}

/** The line that the words stand in, cut around them. */
export function lineAround(where: Where, columns: number): string | null {
  if (where.in !== 'text' || where.line === null || where.quoted === null) return null;
  if (where.line.quoted.length === where.quoted.length) return null;
  const before = shown(where.line.quoted.slice(0, where.start - where.line.start));
  const words = shown(where.quoted);
  const after = shown(where.line.quoted.slice(where.end - where.line.start));
  const room = columns - columnsOf(words);
  if (room < 8) return null;
  const left = cutStart(before, columnsOf(after) < room / 2 ? room - columnsOf(after) : Math.floor(room / 2));
  return `“${left}${words}${cutEnd(after, room - columnsOf(left))}”`;
}

function cutStart(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  const letters = [...text];
  while (letters.length > 0 && columnsOf(letters.join('')) > columns - 1) letters.shift();
  return CUT + letters.join('');
}

function cutEnd(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  const letters = [...text];
  while (letters.length > 0 && columnsOf(letters.join('')) > columns - 1) letters.pop();
  return letters.join('') + CUT;
}

/** Where a confirmed slot was confirmed from. */
export function confirmedText(slot: Slot): string[] {
  const { where, by } = slot;
  if (where === null) return [slot.says];
  const more = slot.also > 1 ? `, one of ${slot.also} places` : '';
  if (by === null) return [`${quotedAt(where)}${more}`];
  if (where.in === 'json') return [`named by ${quotedAt(by)}: ${placeText(where)}${more}`];
  return [`${quotedAt(where)}${more}, approved by ${quotedAt(by)}`];
}

/** What each source said of a slot that stayed open, in order. */
export function saidText(said: readonly Said[]): string {
  const parts = said.map(({ says, where, outcome }) => {
    const at = outcome === 'claim' ? where.slice(-2).map(placeText) : [];
    return `${cutMiddle(shown(says), 120)}${at.length === 0 ? '' : ` (${at.join('; ')})`}`;
  });
  return [...new Set(parts)].join(' · ');
}

export function carriedText(carried: Carried): string {
  const last = carried.where.at(-1);
  const at = last === undefined ? '' : `, ${placeText(last)}`;
  const more = carried.count > 1 ? ` and ${carried.count - 1} more` : '';
  return `the call carried ${valueText(carried.value, 40)}, ${shown(carried.says)}${at}${more}`;
}

/** What was read, each once, and whole lists and objects only where nothing within them is shown. */
export function telling(reads: readonly Read[]): readonly Read[] {
  const seen = new Set<string>();
  const once = reads.filter((read) => {
    const name = JSON.stringify(read);
    return !seen.has(name) && seen.add(name);
  });
  const plain = once.filter(({ value }) => typeof value !== 'object' || value === null);
  return plain.length === 0 ? once : plain;
}

/** What an expression was run over, part by part. */
export function readsText(all: readonly Read[], most: number): string | null {
  const reads = telling(all);
  if (reads.length === 0) return null;
  const parts = reads.slice(0, most).map(({ name, value, where, age_seconds }) => {
    const notes = [
      ...(where !== null && where.in !== 'entry'
        ? [`${shown(where.tool ?? '')} message ${where.message}`.trim()]
        : []),
      ...(age_seconds === null ? [] : [`${age_seconds} s before`]),
    ];
    return `${shown(name)} = ${valueText(value)}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
  });
  if (reads.length > most) parts.push(`${CUT} and ${reads.length - most} more`);
  return parts.join(' · ');
}
