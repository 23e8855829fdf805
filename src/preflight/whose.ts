import { GroundsError } from '../errors.ts';
import type { SyncLog } from '../log/index.ts';
import type { CallStanding } from '../projections/standing.ts';
import { userIn } from './by.ts';

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
  throw new GroundsError('preflight/other-user', `Call ${standing?.call} belongs to another user.`, {
    facts: { call: standing?.call },
    hint: 'Go on as the user that the call began with; for another user propose it anew, with an id of its own.',
  });
}
