import { encode } from '../events/canonical.ts';
import { type Content, plainOf } from '../events/content.ts';
import { type AnyEvent, parseEvent, parseStream } from '../events/index.ts';
import type { Json } from '../events/json.ts';
import type { Recorded } from '../log/index.ts';

/** A value that one user gave again and again to the same question: it could be kept, if they want that. */
export interface SettingProposal {
  /** Opaque. */
  readonly user: string;
  readonly tool: string;
  /** The slot, with `*` for each index. */
  readonly slot: string;
  readonly value: Json;
  readonly none: boolean;
  /** How many calls it was answered in. */
  readonly times: number;
  /** The newest answer, to keep it from. */
  readonly from: { readonly call: string; readonly answer: string; readonly slot: string };
}

/** The events that it reads. */
export const ANSWER_TYPES = ['RunStarted', 'AnswerReceived'] as const;

/** What is remembered from event to event. It grows with the calls and the answers of a log, never with its size squared. */
export interface AnswersSoFar {
  add(row: Pick<Recorded, 'event'>): void;
  /** What was answered alike in at least so many calls, and last: the most frequent first. */
  proposals(least?: number): SettingProposal[];
}

export function answersSoFar(): AnswersSoFar {
  /** The tool that each call was last judged as. */
  const tools = new Map<string, string>();
  const given = new Map<string, { readonly proposal: SettingProposal; readonly calls: Set<string> }>();
  /** By user, tool and slot: only what was said last is worth keeping. */
  const newest = new Map<string, string>();
  const answered = (call: string, event: Extract<AnyEvent, { type: 'AnswerReceived' }>): void => {
    const { user } = event.data.by;
    if (user === null) return;
    for (const { slot, value, none } of event.data.answers) {
      // What is sealed can't be compared without its key.
      if ('sealed' in (value as Content<Json>)) continue;
      const plain = plainOf(value);
      const tool = tools.get(call) ?? '';
      const pattern = slot.replace(/\/(?:0|[1-9][0-9]*)(?=\/|$)/g, '/*');
      const key = encode([user, tool, pattern, none, plain]);
      const calls = (given.get(key)?.calls ?? new Set()).add(call);
      const from = { call, answer: event.id, slot };
      const proposal = { user, tool, slot: pattern, value: plain, none, times: calls.size, from };
      given.set(key, { calls, proposal });
      newest.set(encode([user, tool, pattern]), key);
    }
  };
  return {
    add({ event: stored }) {
      const event = parseEvent(stored);
      const stream = parseStream(event.stream);
      if (stream.kind !== 'call') return;
      if (event.type === 'AnswerReceived') answered(stream.id, event);
      if (event.type !== 'RunStarted') return;
      const tool = parseStream(event.data.tool.stream);
      tools.set(stream.id, tool.kind === 'tool' ? tool.name : event.data.tool.stream);
    },
    proposals: (least = 2) =>
      [...newest.values()]
        .flatMap((key) => given.get(key)?.proposal ?? [])
        .filter(({ times }) => times >= least)
        .sort((a, b) => b.times - a.times || (encode(a) < encode(b) ? -1 : 1)),
  };
}
