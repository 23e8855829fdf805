import type { Signer } from '../keys/index.ts';
import type { Around } from '../preflight/around.ts';

/** What a gateway works with. */
export interface GatewayOptions {
  /** The log, the checklists and the hooks. */
  readonly around: Around;
  /** The server's name in the log; by default the one that it gives itself. */
  readonly server?: string;
  /** The user of hosts that don't say who theirs is. */
  readonly user?: string;
  /** How it signs what it executes. Default `grounds-mcp`. */
  readonly name?: string;
  readonly key?: Signer;
  /** How long a call may take, in milliseconds; then nobody knows what became of it. Default a minute. */
  readonly timeout?: number;
  /** How long a user may take to answer. Default ten minutes; the question stays open after that. */
  readonly patience?: number;
  /** What goes wrong beside the protocol. */
  readonly onerror?: (error: Error) => void;
}
