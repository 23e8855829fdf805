import { GroundsError } from '../errors.ts';
import { isWellFormed } from './json.ts';
import { pointerOf } from './pointer.ts';

/**
 * How deep containers may nest in what is written. Foreign JSON is held to less (see ingress.ts), so that whatever was
 * let in still fits once it stands inside an event.
 */
export const MAX_DEPTH = 288;

/**
 * The canonical JSON of a value (RFC 8785). It throws on what JSON can't hold and never coerces: what is written is what
 * was there. Plain objects, dense arrays, well-formed strings, finite numbers; -0 is written as 0, as the RFC says. Of
 * the RFC's numbers it refuses the integers beyond 2^53−1 (1e30 too): two neighbours of them may be one double.
 *
 * @throws GroundsError `events/not-json`, facts `{ pointer, reason }`.
 */
export function encode(value: unknown): string {
  try {
    return encodeValue(value, 0);
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    const pointer = pointerOf(thrown.path.reverse());
    throw new GroundsError('events/not-json', `The value at '${pointer}' is not JSON: ${thrown.refused}.`, {
      facts: { pointer, reason: thrown.refused },
      hint: 'Give plain objects, dense arrays, well-formed strings and finite numbers; leave absent members out.',
    });
  }
}

/** Thrown inside only: the path is gathered on the way out, so that the good case pays nothing for it. */
interface Refusal {
  readonly refused: string;
  readonly path: (string | number)[];
}

function refuse(reason: string): never {
  const refusal: Refusal = { refused: reason, path: [] };
  throw refusal;
}

function isRefusal(thrown: unknown): thrown is Refusal {
  return typeof thrown === 'object' && thrown !== null && 'refused' in thrown && 'path' in thrown;
}

function encodeValue(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return encodeString(value);
    case 'number':
      return encodeNumber(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (depth >= MAX_DEPTH) return refuse(`nested deeper than ${MAX_DEPTH}`);
      return Array.isArray(value) ? encodeArray(value, depth) : encodeObject(value, depth);
    default:
      return refuse(typeof value);
  }
}

/** Nothing to escape, and no surrogate. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

function encodeString(value: string): string {
  if (value.length < 40 && PLAIN.test(value)) return `"${value}"`;
  if (!isWellFormed(value)) return refuse('a string with a lone surrogate');
  return JSON.stringify(value);
}

function encodeNumber(value: number): string {
  if (!Number.isFinite(value)) return refuse('a number that is not finite');
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return refuse('an integer beyond 2^53−1');
  return String(value);
}

function encodeArray(value: readonly unknown[], depth: number): string {
  if (Object.getPrototypeOf(value) !== Array.prototype) return refuse('an instance of a class');
  if (Object.getOwnPropertySymbols(value).length > 0) return refuse('an array with symbol keys');
  if (Object.keys(value).length !== value.length) return refuse('an array with holes or named members');
  let out = '[';
  for (let index = 0; index < value.length; index += 1) {
    if (index > 0) out += ',';
    try {
      out += encodeValue(memberOf(value, index), depth + 1);
    } catch (thrown) {
      if (isRefusal(thrown)) thrown.path.push(index);
      throw thrown;
    }
  }
  return `${out}]`;
}

function encodeObject(value: object, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return refuse('an instance of a class');
  if (Object.getOwnPropertySymbols(value).length > 0) return refuse('an object with symbol keys');
  const keys = Object.keys(value);
  if (Object.getOwnPropertyNames(value).length !== keys.length)
    return refuse('an object with hidden members');
  order(keys);
  let out = '{';
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as string;
    if (index > 0) out += ',';
    try {
      out += `${encodeString(key)}:${encodeValue(memberOf(value, key), depth + 1)}`;
    } catch (thrown) {
      if (isRefusal(thrown)) thrown.path.push(key);
      throw thrown;
    }
  }
  return `${out}}`;
}

/** Read through the descriptor: an accessor could say something else each time. */
function memberOf(container: object, key: string | number): unknown {
  const member = Object.getOwnPropertyDescriptor(container, key);
  if (member === undefined) return refuse('a hole');
  if (member.get !== undefined || member.set !== undefined) return refuse('an accessor');
  return member.value;
}

/**
 * By UTF-16 code units, as the RFC says and `<` compares. Keys mostly stand in order already; insertion then costs one
 * comparison a key.
 */
function order(keys: string[]): void {
  if (keys.length > 32) {
    keys.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return;
  }
  for (let index = 1; index < keys.length; index += 1) {
    const key = keys[index] as string;
    let hole = index;
    while (hole > 0 && (keys[hole - 1] as string) > key) {
      keys[hole] = keys[hole - 1] as string;
      hole -= 1;
    }
    keys[hole] = key;
  }
}
