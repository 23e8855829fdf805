/** Why a received text could not be read exactly. */
export type IngressFaultCode =
  /** A key stands twice in one object, whatever its values. */
  | 'duplicate_key'
  /** A number that no double says exactly, or an integer beyond 2^53−1. */
  | 'inexact_number'
  /** A string with half of a surrogate pair: it has no bytes. */
  | 'lone_surrogate'
  /** Containers nest too deep. */
  | 'too_deep'
  /** The text ends before its value does. */
  | 'truncated'
  /** Nothing but white space. */
  | 'empty'
  /** Not JSON (RFC 8259) from this place on. */
  | 'not_json';

export interface IngressFault {
  readonly code: IngressFaultCode;
  /** The value or member at fault; of a text that breaks, the innermost container that was open. */
  readonly pointer: string;
  /** The text at fault as it was received; a long one is cut, and its length is stated. */
  readonly lexeme: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
  /** From 0, in UTF-16 code units. */
  readonly offset: number;
}

const SHOWN = 64;

/** A piece of the text that can be printed and stored: control characters and half pairs as `\uXXXX`, long ones cut. */
export function quoted(text: string, start: number, end: number): string {
  const length = end - start;
  const piece = text.slice(start, length > SHOWN ? start + SHOWN : end);
  const printable = piece.replace(/[\u0000-\u001f\u007f\ud800-\udfff]/gu, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return length > SHOWN ? `${printable}… (${length} characters)` : printable;
}

/** Line and column of growing offsets, in one walk over the text. */
export function lineCounter(text: string): (offset: number) => { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  let newline = text.indexOf('\n');
  return (offset) => {
    while (newline !== -1 && newline < offset) {
      line += 1;
      lineStart = newline + 1;
      newline = text.indexOf('\n', lineStart);
    }
    return { line, column: offset - lineStart + 1 };
  };
}

/** One sentence for a person: what, quoted, and where. */
export function faultMessage(fault: IngressFault): string {
  const place = `line ${fault.line}, column ${fault.column}`;
  switch (fault.code) {
    case 'duplicate_key':
      return `The key ${fault.lexeme} stands twice in one object (${place}).`;
    case 'inexact_number':
      return `The number ${fault.lexeme} can't be held exactly (${place}).`;
    case 'lone_surrogate':
      return `The string ${fault.lexeme} holds half of a surrogate pair (${place}).`;
    case 'too_deep':
      return `The JSON nests too deep at ${fault.lexeme} (${place}).`;
    case 'truncated':
      return `The JSON breaks off at ${fault.lexeme === '' ? 'its end' : fault.lexeme} (${place}).`;
    case 'empty':
      return 'There is no JSON here, only white space.';
    case 'not_json':
      return `This is not JSON at ${fault.lexeme} (${place}).`;
  }
}
