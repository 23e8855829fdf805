import { encode } from '../events/canonical.ts';
import { isObject, type Json } from '../events/json.ts';
import type { Pointer } from '../events/pointer.ts';
import type { ArgumentsFault, CallArguments } from './conversation.ts';
import { type Received, receive } from './received.ts';

/**
 * The arguments of a call, wherever they stand in a conversation: a JSON string or an object. What can't be read
 * exactly becomes the call's fault, never a lost import.
 */
export function argumentsAt(received: Received, pointer: Pointer, value: Json | undefined): CallArguments {
  if (typeof value === 'string') return argumentsFromText(value);
  if (value === undefined) return { text: null, value: null, fault: faultOf('missing', '') };
  const inside = received.faultIn(pointer);
  if (!inside)
    return isObject(value) ? { text: null, value, fault: null } : argumentsFromText(JSON.stringify(value));
  const text = received.raw(pointer);
  return { text, value: null, fault: (text === null ? null : argumentsFromText(text).fault) ?? inside };
}

/** The arguments of a call as the text that was received. */
export function argumentsFromText(text: string): CallArguments {
  const read = receive(text);
  const fault = 'fault' in read ? read.fault : (read.faults[0] ?? notAnObject(read.value, text));
  if (fault || 'fault' in read) return { text, value: null, fault };
  return { text: text === encode(read.value) ? null : text, value: read.value, fault: null };
}

function notAnObject(value: Json, text: string): ArgumentsFault | null {
  return isObject(value) ? null : faultOf('not_an_object', text);
}

function faultOf(code: ArgumentsFault['code'], text: string): ArgumentsFault {
  return { code, pointer: '', lexeme: text.slice(0, 64), line: 1, column: 1, offset: 0 };
}
