import { uuidFrom } from '../events/ids.ts';
import type { Responder } from '../events/responder.ts';
import type { SyncLog } from '../log/index.ts';

/** Who says something, and how that is known: always given, never assumed. */
export interface By {
  /** The caller's own id of the user; the log holds an opaque one. null: nobody knows which user it was. */
  readonly user: string | null;
  readonly known_by: Responder['known_by'];
  /** The place of the words, where they were typed into a conversation. */
  readonly said?: Responder['said'];
}

/** A user's opaque id in this log. */
export function userIn(log: SyncLog, user: string): string {
  return uuidFrom(log.importKey, 'user', user);
}

export function responderOf(log: SyncLog, { user, known_by, said = null }: By): Responder {
  return { user: user === null ? null : userIn(log, user), known_by, said };
}
