import { type IngressFault, type IngressFaultCode, lineCounter, quoted } from './ingress-fault.ts';
import { isWellFormed } from './json.ts';
import { isExactNumber } from './number-lexeme.ts';
import { pointerOf } from './pointer.ts';

/** How deep foreign JSON may nest. An event that holds it nests a little deeper: MAX_DEPTH in canonical.ts. */
export const MAX_FOREIGN_DEPTH = 256;

/** A token that is to be read as something else: `text` in the place of `[start, end)`. */
export interface Patch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Scan {
  /** The text is not JSON, or nests too deep: there is no value. */
  readonly fatal: IngressFault | null;
  /** What the value can't say exactly, in the order of the text. */
  readonly faults: readonly IngressFault[];
  /** In the order of the text. */
  readonly patches: readonly Patch[];
}

/** An open container: the keys of an object so far and the one being read, or the index in an array. */
interface Frame {
  readonly keys: Set<string> | null;
  key: string;
  index: number;
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const WORD = /[A-Za-z0-9_]+|[\s\S]|$/uy;
/** The rest of a text that broke off inside a token. */
const CUT = /^(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|\.|[eE][+-]?|\\(?:u[0-9a-fA-F]{0,3})?)$/;

/**
 * One pass over a JSON text for all that `JSON.parse` is silent about, with a stack of its own instead of recursion. It
 * checks the grammar as well: the engine's messages differ between versions, and don't say where a text breaks off.
 */
export function scan(text: string): Scan {
  const faults: IngressFault[] = [];
  const patches: Patch[] = [];
  const stack: Frame[] = [];
  const whereIs = lineCounter(text);
  const noHalves = isWellFormed(text);
  let i = 0;
  /** Whether the last string held a backslash. */
  let escaped = false;

  const fault = (code: IngressFaultCode, start: number, end: number): IngressFault => {
    const path = stack.map((frame) => (frame.keys === null ? frame.index : frame.key));
    if (code === 'not_json' || code === 'truncated') path.pop();
    return {
      code,
      pointer: wellFormed(pointerOf(path)),
      lexeme: quoted(text, start, end),
      ...whereIs(start),
      offset: start,
    };
  };
  const result = (fatal: IngressFault | null): Scan => ({ fatal, faults, patches });
  const broken = (): Scan => {
    if (i < text.length && !CUT.test(text.slice(i, i + 7))) {
      WORD.lastIndex = i;
      return result(fault('not_json', i, WORD.test(text) ? WORD.lastIndex : i));
    }
    return result(fault(/[^ \t\r\n]/.test(text) ? 'truncated' : 'empty', i, text.length));
  };

  const skipSpace = () => {
    let code = text.charCodeAt(i);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++i);
  };
  /** From the opening quote to behind the closing one; where it breaks, `i` stays at that place. */
  const skipString = (): boolean => {
    if (text.charCodeAt(i) !== 0x22) return false;
    escaped = false;
    let code = text.charCodeAt(++i);
    while (code !== 0x22) {
      if (code === 0x5c) {
        escaped = true;
        ESCAPE.lastIndex = i;
        if (!ESCAPE.test(text)) return false;
        i = ESCAPE.lastIndex;
      } else if (code >= 0x20) i += 1;
      else return false;
      code = text.charCodeAt(i);
    }
    i += 1;
    return true;
  };
  /** What the string token from `start` to `i` says. */
  const said = (start: number): string =>
    escaped ? (JSON.parse(text.slice(start, i)) as string) : text.slice(start + 1, i - 1);
  const checkPairs = (start: number): void => {
    if (noHalves && !escaped) return;
    const string = said(start);
    if (isWellFormed(string)) return;
    faults.push(fault('lone_surrogate', start, i));
    patches.push({ start, end: i, text: JSON.stringify(wellFormed(string)) });
  };
  /** A key and its colon, up to where its value begins. */
  const readKey = (frame: Frame): boolean => {
    if (frame.keys === null) return true;
    const start = i;
    if (!skipString()) return false;
    frame.key = said(start);
    if (frame.keys.has(frame.key)) faults.push(fault('duplicate_key', start, i));
    frame.keys.add(frame.key);
    checkPairs(start);
    skipSpace();
    if (text.charCodeAt(i) !== 0x3a) return false;
    i += 1;
    skipSpace();
    return true;
  };
  const readNumber = (): boolean => {
    const start = i;
    NUMBER.lastIndex = i;
    if (!NUMBER.test(text)) {
      i += 1; // behind a minus without a digit
      return false;
    }
    i = NUMBER.lastIndex;
    const lexeme = text.slice(start, i);
    if (!isExactNumber(lexeme)) {
      faults.push(fault('inexact_number', start, i));
      patches.push({ start, end: i, text: `"${lexeme}"` });
    } else if (lexeme.startsWith('-') && Number(lexeme) === 0) patches.push({ start, end: i, text: '0' });
    return true;
  };

  skipSpace();
  for (;;) {
    // A value begins at i.
    const code = text.charCodeAt(i);
    if (code === 0x22) {
      const start = i;
      if (!skipString()) return broken();
      checkPairs(start);
    } else if (code === 0x7b || code === 0x5b) {
      if (stack.length === MAX_FOREIGN_DEPTH) return result(fault('too_deep', i, i + 1));
      const frame: Frame = { keys: code === 0x7b ? new Set() : null, key: '', index: 0 };
      stack.push(frame);
      i += 1;
      skipSpace();
      if (text.charCodeAt(i) !== closing(frame)) {
        if (!readKey(frame)) return broken();
        continue;
      }
      stack.pop();
      i += 1;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      if (!readNumber()) return broken();
    } else if (text.startsWith('true', i) || text.startsWith('null', i)) i += 4;
    else if (text.startsWith('false', i)) i += 5;
    else return broken();

    // A value ends at i: close what closes, up to where the next one begins.
    for (;;) {
      skipSpace();
      const frame = stack[stack.length - 1];
      if (frame === undefined) return i < text.length ? broken() : result(null);
      const next = text.charCodeAt(i);
      if (next === 0x2c) {
        i += 1;
        skipSpace();
        frame.index += 1;
        if (!readKey(frame)) return broken();
        break;
      }
      if (next !== closing(frame)) return broken();
      stack.pop();
      i += 1;
    }
  }
}

function closing(frame: Frame): number {
  return frame.keys === null ? 0x5d : 0x7d;
}

/** Half surrogate pairs as U+FFFD. With the `u` flag a whole pair is one character, which this does not match. */
function wellFormed(text: string): string {
  return isWellFormed(text) ? text : text.replace(/[\ud800-\udfff]/gu, '\ufffd');
}
