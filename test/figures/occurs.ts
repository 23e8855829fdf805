import { isArray, isObject, type Json } from '../../src/events/json.ts';
import { pointerOf } from '../../src/events/pointer.ts';

/** One leaf of an argument object; empty arrays and objects are leaves too. */
export interface Leaf {
  readonly pointer: string;
  readonly value: Json;
}

export function leavesOf(value: Json, path: readonly string[] = []): Leaf[] {
  if (isArray(value) && value.length > 0) {
    return value.flatMap((item, index) => leavesOf(item, [...path, String(index)]));
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    return Object.keys(value).flatMap((key) => leavesOf(value[key] as Json, [...path, key]));
  }
  return [{ pointer: pointerOf(path), value }];
}

/**
 * Whether a text holds a token: no letter, digit or underscore right before or after it, where it begins or ends with
 * one. It knows nothing of the gate's readers: the search of someone who only has the text.
 */
export function holdsToken(text: string, token: string): boolean {
  if (token === '') return true;
  for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + 1)) {
    const end = at + token.length;
    const open = at === 0 || !isWord(text, at - 1) || !isWord(text, at);
    const closed = end === text.length || !isWord(text, end) || !isWord(text, end - 1);
    if (open && closed) return true;
  }
  return false;
}

function isWord(text: string, index: number): boolean {
  return /[\p{L}\p{N}_]/u.test(text[index] as string);
}

/** Whether a leaf's own text stands in what came before, as a token; what is empty stands everywhere. */
export function occurs(text: string, value: Json): boolean {
  if (typeof value === 'string') return holdsToken(text, value);
  if (isArray(value) || isObject(value) || value === null) return true;
  return holdsToken(text, JSON.stringify(value));
}

/** Everything that a body says, keys too (payment methods are keyed by their ids), one item a line. */
export function wordsIn(body: Json): string {
  if (typeof body === 'string') return body;
  if (isArray(body)) return body.map(wordsIn).join('\n');
  if (isObject(body)) {
    return Object.keys(body)
      .flatMap((key) => [key, wordsIn(body[key] as Json)])
      .join('\n');
  }
  return JSON.stringify(body);
}
