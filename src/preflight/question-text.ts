import type { Json } from '../events/json.ts';
import { segmentsOf } from '../events/pointer.ts';
import type { SlotState } from '../events/verdict.ts';
import { isTyped, textOf } from '../gate/conversation.ts';
import type { RunInput } from '../gate/index.ts';
import { escapedJson } from '../marks.ts';

/** The longest quote of the user's own words, in UTF-16 units. */
const QUOTED = 200;

const WHEN_DETAIL: Readonly<Record<string, string>> = {
  'when/scheduled': 'For when?',
  'when/conditional': 'What has to happen first?',
  'when/recurring': 'How often, and when?',
};

/**
 * The question about timing, act and tool. It is made of what the user typed and of what is missing, and of nothing that the
 * provider declared: for any two tools it is the same text. RULES R14.
 */
export function intentText(run: RunInput, intent: readonly SlotState[]): string {
  const parts: string[] = [];
  const quoted = lastWords(run);
  if (quoted !== null) parts.push(`You wrote: “${escapedJson(quoted)}”`);
  for (const state of intent) {
    if (state.state !== 'unknown') continue;
    if (state.slot === 'act')
      parts.push('What do you want to be done? Please say it in your own words, with a verb.');
    else if (state.slot === 'tool')
      parts.push('It is not sure that this is what you asked for. What do you want to be done?');
    else if (state.slot === 'when') parts.push('When is it to be done: now, or later?');
    else parts.push(WHEN_DETAIL[state.slot] ?? 'For when?');
  }
  return parts.join('\n');
}

/** What the user typed last in this request. */
function lastWords(run: RunInput): string | null {
  for (let index = run.segments.length - 1; index >= run.request_from; index--) {
    const segment = run.segments[index];
    if (!isTyped(segment)) continue;
    const text = (textOf(segment) ?? '').replace(/[\s\0-\x1f]+/g, ' ').trim();
    if (text === '') continue;
    const letters = [...text];
    return letters.length <= QUOTED ? text : `${letters.slice(0, QUOTED - 1).join('')}…`;
  }
  return null;
}

/** How a slot is asked for where nobody declared it: `/items/0/id` is "id of items 1". */
export function defaultAsk(slot: string): string {
  return `Which value should ${slotName(slot)} have?`;
}

export function slotName(slot: string): string {
  const parts = segmentsOf(slot);
  const named: string[] = [];
  for (const part of parts) {
    const before = named.at(-1);
    if (before !== undefined && /^(0|[1-9][0-9]{0,6})$/.test(part)) {
      named[named.length - 1] = `${before} ${Number(part) + 1}`;
    } else named.push(nameWords(part));
  }
  return named.reverse().join(' of ');
}

export function slotsText(
  slots: readonly { readonly ask: string; readonly prior: Json | undefined }[],
  notices: readonly string[],
): string {
  const lines = slots.map(({ ask, prior }) =>
    prior === undefined
      ? ask
      : `${ask} (the last time it was ${valueWords(prior)}; say so if it is to be again)`,
  );
  return [...lines, ...notices].join('\n');
}

export function approvalText(
  shown: readonly { readonly slot: string; readonly value: { readonly plain: Json } }[],
  labels: readonly string[],
  notices: readonly string[],
): string {
  const values = shown
    .filter(({ slot }) => slot.startsWith('/'))
    .map(({ slot, value }) => `${slotName(slot)}: ${valueWords(value.plain)}`);
  return [...values, ...labels, ...notices, 'Is all of this right?'].join('\n');
}

/** JSON, quotes and all: no value draws a line, turns the text or looks like the question's own words. */
export function valueWords(value: Json): string {
  return escapedJson(JSON.stringify(value));
}

/** A name as it is where it can be nothing else, else quoted as values are: whoever proposes a call names its arguments. */
function nameWords(name: string): string {
  return PLAIN_NAME.test(name) ? name : valueWords(name);
}

const PLAIN_NAME = /^[\p{L}\p{M}\p{N}_$@.+-]+$/u;
