import type { Lookup } from '../../src/events/lookup.ts';
import type { Place } from '../../src/events/place.ts';
import { TIMINGS, type Timing } from '../../src/events/vocabulary.ts';
import { readerOf } from '../../src/gate/readers/index.ts';
import type { RunInput } from '../../src/gate/types.ts';
import { type Answer, type State, unknown } from './opinion.ts';
import { signOf } from './reference-claims.ts';
import { type InForce, standsIn, typedByUser, wordsIn } from './reference-world.ts';

/** Words of a kind at a claimed place that the user typed in this request. */
function typedClaims(run: RunInput, lookup: Lookup): Place[] {
  if (lookup.outcome.said !== 'claim') return [];
  return lookup.outcome.claims
    .map(({ at }) => at)
    .filter(
      (at) =>
        at.in === 'text' &&
        at.segment >= run.request_from &&
        typedByUser(run.segments[at.segment]) &&
        standsIn(run, at),
    );
}

function says(run: RunInput, rules: InForce, place: Place, words: readonly string[]): boolean {
  return (
    place.in === 'text' &&
    wordsIn(run, rules, place.segment, words).some(
      ({ start, end }) => start === place.start && end === place.end,
    )
  );
}

/** Of the few negations that this world's people use, whether one stands before these words in their clause. R14. */
function negated(run: RunInput, segment: number, start: number): boolean {
  const body = run.segments[segment]?.body;
  const text = body !== undefined && 'plain' in body && typeof body.plain === 'string' ? body.plain : '';
  const clause =
    text
      .slice(0, start)
      .split(/[.,:;?!] /)
      .at(-1) ?? '';
  return /\b(?:don't|never)\b/i.test(clause);
}

/** R3. */
export function timing(
  run: RunInput,
  rules: InForce,
  answer: Answer,
  reductions: Set<string>,
  later: { is: boolean },
): State[] {
  const trigger = run.entries.find((entry) => entry.kind === 'trigger');
  if (trigger !== undefined)
    return [
      { slot: 'when', state: 'known', reason: 'carried', source: 'instruction', origin: 'instruction' },
    ];
  const undecidable = [unknown('when', 'timing_undecidable', 'ask_user')];
  const judged = run.entries.filter((entry) => entry.kind === 'timing').at(-1);
  if (judged?.failed) return [unknown('when', 'lookup_failed', 'definition_repair')];
  if (judged?.timing === null) return undecidable;
  if (judged !== undefined) {
    reductions.add('judged_intent when');
    const state: State = { slot: 'when', state: 'known', reason: 'judged', source: null, origin: null };
    return detailed(run, rules, answer, later, judged.timing, state);
  }
  const kinds = TIMINGS.filter((kind) => rules.intent.timing[kind] !== undefined);
  let claimed = false;
  let said: typeof kinds = [];
  if (kinds.length > 0) {
    const lookup = answer({ subject: { slot: 'when' }, source: 'instruction', key: {} });
    if (lookup.outcome.said === 'failed') return [unknown('when', 'lookup_failed', 'definition_repair')];
    claimed = lookup.outcome.said === 'claim';
    const places = typedClaims(run, lookup);
    said = kinds.filter((kind) =>
      places.some((place) => says(run, rules, place, rules.intent.timing[kind]?.words ?? [])),
    );
  }
  const [kind] = said;
  if (kind === undefined) {
    if (rules.intent.unmarked_timing === undefined || claimed) return undecidable;
    reductions.add('unmarked_timing ');
    return [{ slot: 'when', state: 'known', reason: 'unmarked', source: null, origin: null }];
  }
  if (said.length > 1) return undecidable;
  const state: State = { slot: 'when', ...LOCATED };
  return detailed(run, rules, answer, later, kind, state);
}

const LOCATED = {
  state: 'known',
  reason: 'located',
  source: 'instruction',
  origin: 'instruction',
} as const;

/** When, or upon what, is an intent slot of its own. */
function detailed(
  run: RunInput,
  rules: InForce,
  answer: Answer,
  later: { is: boolean },
  kind: Timing,
  state: State,
): State[] {
  later.is = kind !== 'immediate';
  const detail = rules.intent.timing[kind]?.detail;
  if (kind === 'immediate' || detail === undefined) return [state];
  const id = `when/${kind}`;
  const lookup = answer({ subject: { slot: id }, source: 'instruction', key: {} });
  if (lookup.outcome.said === 'failed') return [state, unknown(id, 'lookup_failed', 'definition_repair')];
  const slot = { id, decl: undefined, reader: readerOf(detail, rules.readers), leaf: undefined };
  const sign = signOf(
    run,
    rules,
    { ...slot, pattern: id, required: false, fixedBySchema: false, sources: [] },
    lookup,
  );
  // The time, event or threshold is looked for in this request's words only.
  const here = sign.is === 'V' && sign.place.in === 'text' && sign.place.segment >= run.request_from;
  return [state, here ? { slot: id, ...LOCATED } : unknown(id, 'timing_detail_missing', 'ask_user')];
}

/** R14. */
export function actAndTool(run: RunInput, rules: InForce, answer: Answer, reductions: Set<string>): State[] {
  const lookup = answer({ subject: { slot: 'act' }, source: 'instruction', key: {} });
  if (lookup.outcome.said === 'failed') return [unknown('act', 'lookup_failed', 'definition_repair')];
  const places = typedClaims(run, lookup).filter(
    (at) => at.in === 'text' && !negated(run, at.segment, at.start),
  );
  const act: State = {
    slot: 'act',
    state: 'known',
    reason: 'located',
    source: 'instruction',
    origin: 'instruction',
  };
  const tool = (reason: string): State => ({
    slot: 'tool',
    state: 'known',
    reason,
    source: 'instruction',
    origin: 'instruction',
  });
  const notThis = (reason: string) => [act, unknown('tool', reason, 'ask_user')];
  if (rules.intent.single_tool) {
    reductions.add('single_tool ');
    // One tool needs no match; that something was asked for still stands in the user's words.
    return places.length === 0
      ? [unknown('act', 'act_not_said', 'ask_user')]
      : [{ ...act, reason: 'single_tool' }, tool('single_tool')];
  }
  const names = run.entries.flatMap((entry) =>
    entry.kind === 'tool_name' &&
    run.segments.some(
      (segment, i) =>
        i >= run.request_from &&
        typedByUser(segment) &&
        wordsIn(run, rules, i, [entry.word]).some(({ start }) => !negated(run, i, start)),
    )
      ? [entry.tool]
      : [],
  );
  if (names.length > 0)
    return names.includes(run.tool.name) ? [act, tool('user_action_name')] : notThis('other_act_said');
  const wordsOf = (name: string) =>
    (Object.hasOwn(rules.intent.act_words, name) ? rules.intent.act_words[name] : undefined) ?? [];
  if (places.some((place) => says(run, rules, place, wordsOf(run.tool.name))))
    return [act, tool('act_words')];
  const others = Object.keys(rules.intent.act_words).filter((name) => name !== run.tool.name);
  if (places.some((place) => others.some((name) => says(run, rules, place, wordsOf(name)))))
    return notThis('other_act_said');
  if (places.length === 0) return [unknown('act', 'act_not_said', 'ask_user')];
  const match = run.entries.filter((entry) => entry.kind === 'match').at(-1);
  if (match?.failed) return [act, unknown('tool', 'lookup_failed', 'definition_repair')];
  if (match?.approved !== true) return notThis('match_refused');
  reductions.add('judged_intent ');
  return [act, tool('judged')];
}
