import type { IngressFault } from '../events/ingress.ts';
import { isArray, isObject, type Json } from '../events/json.ts';
import type { Pointer } from '../events/pointer.ts';
import type { CallArguments } from './conversation.ts';
import { faultOf, type Received, receive } from './received.ts';

/**
 * The arguments of a call, wherever they stand in a conversation: a JSON string or an object. What can't be read
 * exactly becomes the call's fault, never a lost import (DESIGN 5).
 */
export function argumentsAt(received: Received, pointer: Pointer, value: Json | undefined): CallArguments {
  if (typeof value === 'string') return fromText(value);
  if (value === undefined) return { text: null, value: null, fault: faultOf('missing', '', 0, '') };
  const inside = received.faultIn(pointer);
  if (!inside) return isObject(value) ? { text: null, value, fault: null } : fromText(JSON.stringify(value));
  const text = received.raw(pointer);
  return { text, value: null, fault: (text === null ? null : fromText(text).fault) ?? inside };
}

function fromText(text: string): CallArguments {
  const read = receive(text);
  const fault = 'fault' in read ? read.fault : (read.faults[0] ?? notAnObject(read.value, text));
  if (fault || 'fault' in read) return { text, value: null, fault };
  return { text: text === canonical(read.value) ? null : text, value: read.value, fault: null };
}

function notAnObject(value: Json, text: string): IngressFault | null {
  return isObject(value) ? null : faultOf('not_an_object', text, 0, text.slice(0, 40));
}

/** RFC 8785 of a value that was read exactly: only the order of keys is left to do. */
function canonical(value: Json): string {
  if (isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`).join(',')}}`;
}
