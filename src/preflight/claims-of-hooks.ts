import { z } from 'zod';
import { plainOf } from '../events/content.ts';
import { JsonValue } from '../events/content-schema.ts';
import type { Json } from '../events/json.ts';
import type { Outcome } from '../events/lookup.ts';
import type { TextPlace } from '../events/place.ts';
import { at as valueAt } from '../events/pointer.ts';
import { contextOf, findWords, isTyped, readJson, readSpan, textOf } from '../gate/conversation.ts';
import { type RunInput, rulesFor } from '../gate/index.ts';
import { unnegated } from '../gate/negation.ts';
import { slotRuleOf } from '../gate/rules-for.ts';
import { slotReader } from '../gate/slot-reader.ts';

/** Claims kept of one hook's answer; what counts most is nearest to the call. */
const KEPT = 4;

const index = z.number().int().nonnegative();

/** `span` and `segment_index` may be anything: a claim without a place that can be checked is refused as a claim. */
export const InstructionAnswer = z.looseObject({
  value: JsonValue,
  segment_index: z.unknown().optional(),
  span: z.unknown().optional(),
});

const Coordinates = z.object({
  segment_index: index,
  span: z.union([
    z.tuple([index, index]).transform(([start, end]) => ({ start, end })),
    z.object({ start: index, end: index }),
  ]),
});

/**
 * Where the gate shall read what a hook found in the instruction. The hook's own value never enters: it is only compared with
 * what stands at the place, and a hook that says otherwise than its place has no place. RULES, R.
 */
export function claimFrom(run: RunInput, slot: string, answer: z.infer<typeof InstructionAnswer>): Outcome {
  const found = Coordinates.safeParse(answer);
  if (!found.success) return claimOf([nowhere(0)]);
  const { segment_index: segment, span } = found.data;
  const place: TextPlace = { in: 'text', segment, start: span.start, end: span.end };
  return claimOf([readsOtherwise(run, slot, place, answer.value) ? nowhere(segment) : place]);
}

/** A place of no length, which the gate refuses: the record then shows that something was claimed, and that it is not there. */
export function nowhere(segment: number): TextPlace {
  return { in: 'text', segment, start: 0, end: 0 };
}

export function claimOf(places: readonly TextPlace[]): Outcome {
  if (places.length === 0) return { said: 'absent' };
  return { said: 'claim', claims: places.slice(-KEPT).map((at) => ({ at })), also: places.length };
}

/** Only where the place can be read at all: what the gate refuses or misreads there is for the gate to say. */
function readsOtherwise(run: RunInput, slot: string, place: TextPlace, value: Json): boolean {
  const rules = rulesFor(run);
  const segment = run.segments[place.segment];
  const prepared = run.proposal?.prepared;
  const leaf = prepared === null || prepared === undefined ? undefined : valueAt(plainOf(prepared), slot);
  const reader = slot.startsWith('/') ? slotReader(rules, slotRuleOf(rules, slot, false), leaf) : null;
  const text = textOf(segment);
  if (segment === undefined || reader === null || text === null || place.end > text.length) return false;
  const read = readSpan(run, rules, segment, reader, place);
  if (read === undefined) return false;
  const said = readJson(reader, value, contextOf(run, rules, segment));
  return !reader.same(read, value) && (said === undefined || !reader.same(read, said));
}

/**
 * Where the act stands that a hook named: whole words, typed in this request and under no negation. Words that stand only where
 * nobody typed them, or under one, are claimed there, and refused there.
 */
export function actClaim(run: RunInput, name: string): Outcome {
  const typed: TextPlace[] = [];
  const others: TextPlace[] = [];
  const rules = rulesFor(run);
  run.segments.forEach((segment, at) => {
    if (at < run.request_from) return;
    const spans = findWords(segment, [name]);
    const asking = new Set(isTyped(segment) ? unnegated(segment, rules, spans) : []);
    for (const span of spans) (asking.has(span) ? typed : others).push({ in: 'text', segment: at, ...span });
  });
  if (typed.length > 0) return claimOf(typed);
  return claimOf(others.length > 0 ? others : [nowhere(run.request_from)]);
}
