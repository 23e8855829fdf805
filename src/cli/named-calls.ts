import { uuidFrom } from '../events/ids.ts';
import type { Projections } from '../projections/store.ts';

/** The id of a call of `check` that its caller named. The log keeps no such name, but can tell whether a call has it. */
export function namedCall(key: Uint8Array, conversation: string, name: string): string {
  return uuidFrom(key, 'checked call', conversation, `named ${name}`);
}

/** The calls of `check` that some caller named so, one a conversation. It looks at every call: only for where no id was found. */
export function callsNamed(key: Uint8Array, projections: Projections, name: string): string[] {
  const found: string[] = [];
  for (const { call_id, origin } of projections.calls()) {
    if (origin !== null) continue;
    const conversation = projections.place(call_id)?.conversation ?? null;
    if (conversation !== null && namedCall(key, conversation, name) === call_id) found.push(call_id);
  }
  return found;
}
