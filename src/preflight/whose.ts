import { GroundsError } from '../errors.ts';
import type { SyncLog } from '../log/index.ts';
import type { CallStanding } from '../projections/standing.ts';
import { type By, userIn } from './by.ts';

/**
 * Whose call it is, opaque; null where nobody ever said. What one user answered and keeps counts for nobody else.
 *
 * @param user the caller's own id; left out: whoever it was before
 * @throws GroundsError `preflight/other-user`
 */
export function whoseCall(
  log: SyncLog,
  standing: CallStanding | null,
  user: string | undefined,
): string | null {
  const before = standing?.run?.started.user ?? null;
  if (user === undefined) return before;
  const own = userIn(log, user);
  if (before === null || before === own) return own;
  throw otherUser(
    standing,
    'Go on as the user that the call began with; for another user propose it anew, with an id of its own.',
  );
}

/**
 * What somebody else replies settles nothing of a call. Where nobody knows whose it is, or who replied, nothing is compared.
 *
 * @throws GroundsError `preflight/other-user`
 */
export function requireOwnReply(log: SyncLog, standing: CallStanding | null, { user }: By): void {
  const own = standing?.run?.started.user ?? null;
  if (own === null || user === null || userIn(log, user) === own) return;
  throw otherUser(
    standing,
    'Only the user whose call it is can answer its questions: give their id in by.user, or null where nobody knows who said it.',
  );
}

function otherUser(standing: CallStanding | null, hint: string): GroundsError {
  const call = standing?.call;
  return new GroundsError('preflight/other-user', `Call ${call} belongs to another user.`, {
    facts: { call },
    hint,
  });
}
