import type { Json } from '../events/json.ts';
import type { SyncLog } from '../log/index.ts';
import { questionsFor } from '../preflight/questions.ts';
import { noRequestYet } from '../projections/request-standing.ts';
import { requestOf, standingOf } from '../runs/standing.ts';
import type { Checked } from './check-run.ts';

/** What a live gate would ask the user after this verdict. Here nobody asks it, and nothing of it is recorded. */
export interface WouldAsk {
  readonly about: 'intent' | 'tool' | 'slots' | 'approval';
  readonly text: string;
  readonly slots: readonly string[];
  /** The values that a yes would approve, together. */
  readonly shown: readonly { readonly slot: string; readonly value: Json }[];
}

export function wouldAsk(log: SyncLog, { call_id, input, verdict }: Checked): readonly WouldAsk[] {
  const standing = standingOf(log, call_id);
  const request = standing?.run?.started.request;
  if (standing === null || request === undefined) return [];
  const drafts = questionsFor(input, verdict, standing, requestOf(log, request) ?? noRequestYet(request));
  return drafts.map(({ about, text, slots, shown }) => ({
    about,
    text,
    slots: slots.map(({ slot }) => slot),
    shown: shown.map(({ slot, value }) => ({ slot, value: value.plain })),
  }));
}
