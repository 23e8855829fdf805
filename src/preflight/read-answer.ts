import { resolverOf } from '../../replay/resolve.ts';
import type { Json } from '../events/json.ts';
import { readJson } from '../gate/conversation.ts';
import { rulesFor } from '../gate/index.ts';
import { readerOf } from '../gate/readers/index.ts';
import { listSlots } from '../gate/slot-list.ts';
import type { SyncLog } from '../log/index.ts';
import type { CallStanding } from '../projections/standing.ts';

/** How what is answered for a slot is read, as the gate will read it. undefined: it does not fit. */
export interface AnswerReader {
  /** The whole of a typed text, or nothing: what stands only in a part of it was not said alone. */
  fromText(text: string): Json | undefined;
  fromJson(value: Json): Json | undefined;
  /** The slot takes the user's words and nothing else. */
  readonly onlyTyped: boolean;
}

/** @param at when it is answered: relative dates are read against it */
export function readerOfSlot(log: SyncLog, standing: CallStanding, slot: string, at: string): AnswerReader {
  const { run: newest } = standing;
  const run = newest === null ? null : resolverOf(log).resolve(newest.started, newest.position).run;
  const rules = run === null ? null : rulesFor(run);
  const own =
    run === null || rules === null ? undefined : listSlots(run, rules).slots.find(({ id }) => id === slot);
  const reader = own?.reader ?? readerOf('text', {});
  const context = { at, zone: rules?.zone ?? 'UTC' };
  return {
    onlyTyped: own !== undefined && !own.sources.includes('user_answer'),
    fromText(text) {
      const whole = text.trim();
      if (reader === null || whole === '') return undefined;
      return (
        reader.readAt(whole, { start: 0, end: whole.length }, context) ?? readJson(reader, whole, context)
      );
    },
    fromJson: (value) => (reader === null ? undefined : readJson(reader, value, context)),
  };
}
