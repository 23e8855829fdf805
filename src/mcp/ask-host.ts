import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Judged } from '../preflight/judge.ts';
import type { OpenQuestion } from './refusal.ts';
import type { Standing } from './requests.ts';

export interface AskedFor {
  readonly at: Standing;
  /** The host's request that waits meanwhile. */
  readonly related: RequestId;
  readonly user: string | undefined;
  readonly signal: AbortSignal;
  /** Questions that were put to the user while this call was proposed: none is put twice. */
  readonly put: Set<string>;
}

export interface HeardOfUser {
  /** Something was recorded that the next run will see. */
  readonly heard: boolean;
  /** The questions that are still open. */
  readonly open: readonly OpenQuestion[];
  /** What else the agent should know: that the user declined, for example. */
  readonly notes: readonly string[];
}

/** Asks what a verdict leaves to the user. */
export type Ask = (judged: Judged, about: AskedFor) => Promise<HeardOfUser>;
