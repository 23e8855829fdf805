import type { Around } from '../preflight/around.ts';
import { ASKS_NOBODY, type Ask } from './ask-host.ts';
import type { Peer } from './peer.ts';

export interface Eliciting {
  readonly around: Around;
  readonly host: Peer;
  /** Whether the host can ask its user by a form. */
  readonly elicits: () => boolean;
  /** How long a user may take, in milliseconds. */
  readonly patience: number;
}

export function elicitingHost(_: Eliciting): Ask {
  return ASKS_NOBODY;
}
