import { GroundsError } from '../errors.ts';
import type { SyncLog } from '../log/index.ts';
import type { RequestStanding } from '../projections/request-standing.ts';
import { requestOf } from '../runs/standing.ts';

/** A request that was opened and not abandoned. */
export type OpenRequest = RequestStanding & { readonly opened: NonNullable<RequestStanding['opened']> };

/**
 * The request as it stands, where something can still be done for it.
 *
 * @throws GroundsError `preflight/no-request`, `preflight/abandoned`
 */
export function requestInForce(log: SyncLog, id: string): OpenRequest {
  // A name of nothing names none.
  return inForce(id, id === '' ? null : requestOf(log, id));
}

/** @throws GroundsError as `requestInForce` */
export function inForce(id: string, request: RequestStanding | null): OpenRequest {
  if (request === null || request.opened === null) {
    throw new GroundsError('preflight/no-request', `Request ${id} was never opened.`, {
      facts: { request: id },
      hint: 'Open one when the user asks for something new; a call belongs to the request that it serves. An audit or a check has none of its own.',
    });
  }
  if (request.abandoned !== null) {
    throw new GroundsError('preflight/abandoned', `Request ${id} was abandoned.`, {
      facts: { request: id, because: request.abandoned.because },
      hint: 'Open a new request if the user asks for it again.',
    });
  }
  return { ...request, opened: request.opened };
}
