import { randomUUID } from 'node:crypto';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import type { IngressFault } from '../events/ingress.ts';
import { scan } from '../events/ingress-scan.ts';
import { isArray, isObject, type Json } from '../events/json.ts';

/**
 * A number that no double holds exactly travels as this mark and its digits, and is written again as it came. Nobody else can
 * write the mark: it is made anew by each process.
 */
const MARK = `\u0000${randomUUID()}:`;
const MARKED = new RegExp(
  `"${JSON.stringify(MARK).slice(1, -1).replaceAll('\\', '\\\\')}([-+.0-9eE]+)"`,
  'g',
);

/** A JSON text with its inexact numbers marked, and what of it can't be read exactly. */
export interface MarkedText {
  readonly text: string;
  /** Why there is nothing to read; the text is then as it was received. */
  readonly fatal: IngressFault | null;
  /** In the order of the text; inexact numbers among them. */
  readonly faults: readonly IngressFault[];
}

/** Of half a surrogate pair nothing is changed: it is passed on as the escape that it came as. */
export function markedText(text: string): MarkedText {
  const { fatal, faults, patches } = scan(text);
  if (fatal !== null) return { text, fatal, faults };
  const inexact = new Set(faults.flatMap(({ code, offset }) => (code === 'inexact_number' ? [offset] : [])));
  let marked = '';
  let from = 0;
  for (const { start, end } of patches) {
    if (!inexact.has(start)) continue;
    marked += text.slice(from, start) + JSON.stringify(MARK + text.slice(start, end));
    from = end;
  }
  return { text: from === 0 ? text : marked + text.slice(from), fatal: null, faults };
}

/** The JSON text of a value: each marked number as it came. */
export function exactText(value: unknown): string {
  return unmarked(JSON.stringify(value));
}

/** The same for a text that was serialized already. */
export function unmarked(text: string): string {
  return text.includes(MARK.slice(1)) ? text.replace(MARKED, '$1') : text;
}

export function holdsMark(value: unknown): boolean {
  return JSON.stringify(value)?.includes(MARK.slice(1)) ?? false;
}

/** A value as it can be stored: a marked number is the text of its digits, which nobody takes for a number. */
export function withoutMarks(value: Json): Json {
  if (typeof value === 'string') return value.startsWith(MARK) ? value.slice(MARK.length) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutMarks);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutMarks(each)]));
}

const PROTO = '__proto__';

/** The SDK leaves this key out of what it reads again: meanwhile it goes by a name that nobody else can write. */
export const sheltered = (value: unknown): Json => renamed(value as Json, PROTO, MARK + PROTO);
export const unsheltered = (message: JSONRPCMessage): JSONRPCMessage =>
  renamed(message as unknown as Json, MARK + PROTO, PROTO) as unknown as JSONRPCMessage;

function renamed(value: Json, from: string, to: string): Json {
  if (isArray(value)) return value.map((each) => renamed(each, from, to));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, each]) => [
    key === from ? to : key,
    renamed(each, from, to),
  ]);
  return Object.fromEntries(members);
}

/** A message, or why there is none: `fault` is then the first of it. */
export type Arrived =
  | { readonly message: JSONRPCMessage; readonly value: Json; readonly faults: readonly IngressFault[] }
  | { readonly message: null; readonly fault: IngressFault | null };

/** Reads one JSON-RPC message. `fault: null`: it is JSON, but no such message. Never throws. */
export function readMessage(text: string): Arrived {
  const { text: marked, fatal, faults } = markedText(text);
  if (fatal !== null) return { message: null, fault: fatal };
  const value = JSON.parse(marked) as Json;
  // Only checked: what goes on is what came, also where the SDK would leave some of it out.
  const { success } = JSONRPCMessageSchema.safeParse(value);
  if (!success) return { message: null, fault: null };
  return { message: value as unknown as JSONRPCMessage, value, faults };
}

/** What of a text no value says: a doubled key loses one of two. A marked number loses nothing. */
export function lossOf(faults: readonly IngressFault[]): IngressFault | undefined {
  return faults.find(({ code }) => code === 'duplicate_key');
}

/** The id and method of what may be a request, for an answer to it. */
export function headOf(value: Json): { readonly id: string | number | null; readonly method: string | null } {
  if (!isObject(value)) return { id: null, method: null };
  const { id, method } = value;
  return {
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    method: typeof method === 'string' ? method : null,
  };
}
