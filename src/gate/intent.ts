import type { Lookup } from '../events/lookup.ts';
import type { Place, TextPlace } from '../events/place.ts';
import type { Reduction, SlotState } from '../events/verdict.ts';
import { TIMINGS, type Timing } from '../events/vocabulary.ts';
import type { Board } from './board.ts';
import { findWords, isTyped, textOf } from './conversation.ts';
import { byCodeUnit } from './expand.ts';
import { unnegated } from './negation.ts';
import { isPastWithoutYear } from './open-day.ts';
import { inEntry, inText } from './places.ts';
import { readerOf } from './readers/index.ts';
import { readLookup, standsThere } from './reading.ts';
import type { Rules } from './rules-for.ts';
import { knownState, unknownState } from './states.ts';
import type { RunInput, Segment } from './types.ts';

/**
 * Gate 1: what the user asked for, when it runs, and whether this tool does it. It reads nothing of the provider's beyond
 * the tool's name, and only what the user typed in this request. RULES R2, R3, R14.
 */
export interface Intent {
  readonly states: readonly SlotState[];
  readonly reductions: readonly Reduction[];
  /** What the verdict is if it ends here; null: both are settled. */
  readonly ends:
    | 'open'
    | 'intent_failed'
    | 'intent_undetermined'
    | 'match_failed'
    | 'tool_undetermined'
    | null;
  readonly timing: Timing | null;
}

export function settleIntent(run: RunInput, rules: Rules, board: Board): Intent {
  const reductions: Reduction[] = [];
  const when = settleTiming(run, rules, board, reductions);
  const act = settleAct(run, rules, board, reductions);
  if (when === 'open' || act === 'open') return { states: [], reductions: [], ends: 'open', timing: null };
  const states = [when.state, ...when.details, act.act, ...(act.tool === null ? [] : [act.tool])];
  const failed = [when.state, ...when.details, act.act].some(
    (state) => state.state === 'unknown' && state.reason === 'lookup_failed',
  );
  const undecided =
    when.timing === null ||
    when.details.some((state) => state.state === 'unknown') ||
    act.act.state === 'unknown';
  return {
    states,
    reductions,
    timing: when.timing,
    ends: failed
      ? 'intent_failed'
      : undecided
        ? 'intent_undetermined'
        : act.tool?.state === 'unknown' && act.tool.reason === 'lookup_failed'
          ? 'match_failed'
          : act.tool === null || act.tool.state === 'unknown'
            ? 'tool_undetermined'
            : null,
  };
}

interface When {
  readonly state: SlotState;
  readonly details: readonly SlotState[];
  readonly timing: Timing | null;
}

function settleTiming(run: RunInput, rules: Rules, board: Board, reductions: Reduction[]): When | 'open' {
  const trigger = run.entries.findIndex((entry) => entry.kind === 'trigger');
  const carried = run.entries[trigger];
  if (carried?.kind === 'trigger') {
    const place = inEntry(trigger, '/timing');
    const state = knownState('when', 'fixed', 'R12', 'carried', { source: 'instruction', place });
    return { state, details: [], timing: carried.timing };
  }
  const judged = judgedTiming(run);
  if (judged !== undefined) return settleJudged(run, rules, board, reductions, judged);
  const declared = TIMINGS.filter((kind) => rules.timing[kind] !== undefined);
  let lookup: Lookup | undefined;
  if (declared.length > 0) {
    lookup = board.ask({ subject: { slot: 'when' }, source: 'instruction', key: {} });
    if (lookup === undefined) return 'open';
    if (lookup.outcome.said === 'failed') return TIMING_FAILED;
  }
  const places = lookup?.outcome.said === 'claim' ? typedPlaces(run, lookup, run.request_from) : [];
  const kinds = declared.filter((kind) =>
    places.some((place) => readsAs(run, place, rules.timing[kind]?.words ?? [])),
  );
  if (kinds.length === 0) {
    // Silence never becomes "now" by itself: only where the adopting system declared that it does.
    if (rules.unmarkedTiming === null || lookup?.outcome.said === 'claim') return UNDECIDABLE;
    reductions.push({ declared_by: rules.unmarkedTiming, kind: 'unmarked_timing', slot: null });
    return {
      state: knownState('when', 'fixed', 'R3', 'unmarked', { source: null, also: 0 }),
      details: [],
      timing: 'immediate',
    };
  }
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) return UNDECIDABLE;
  const place = places.find((candidate) => readsAs(run, candidate, rules.timing[kind]?.words ?? [])) ?? null;
  const state = knownState('when', 'fixed', 'R3', 'located', { source: 'instruction', place });
  return withDetail(run, rules, board, kind, state);
}

const UNDECIDABLE: When = {
  state: unknownState('when', 'fixed', 'R3', 'timing_undecidable', 'ask_user'),
  details: [],
  timing: null,
};

const TIMING_FAILED: When = {
  state: unknownState('when', 'fixed', 'V2', 'lookup_failed', 'definition_repair'),
  details: [],
  timing: null,
};

type JudgedTiming = Extract<RunInput['entries'][number], { kind: 'timing' }>;

/** What a hook made of the timing: the newest. undefined where no hook was asked. */
function judgedTiming(run: RunInput): JudgedTiming | undefined {
  return run.entries.findLast((entry): entry is JudgedTiming => entry.kind === 'timing');
}

/** A hook's word alone; it may be a model, which is a reduction. What it can't decide never becomes immediate. */
function settleJudged(
  run: RunInput,
  rules: Rules,
  board: Board,
  reductions: Reduction[],
  { timing, failed }: JudgedTiming,
): When | 'open' {
  if (failed === true) return TIMING_FAILED;
  if (timing === null) return UNDECIDABLE;
  reductions.push({ declared_by: 'system', kind: 'judged_intent', slot: 'when' });
  const state = knownState('when', 'fixed', 'R3', 'judged', { source: null, also: 0 });
  return withDetail(run, rules, board, timing, state);
}

/** For any timing but now, its time, event or threshold is itself to be found in the user's words. RULES R3. */
function withDetail(
  run: RunInput,
  rules: Rules,
  board: Board,
  kind: Timing,
  state: SlotState,
): When | 'open' {
  const detail = rules.timing[kind]?.detail;
  if (kind === 'immediate' || detail === undefined) return { state, details: [], timing: kind };
  const id = `when/${kind}`;
  const found = board.ask({ subject: { slot: id }, source: 'instruction', key: {} });
  if (found === undefined) return 'open';
  const reader = readerOf(detail, rules.readers);
  const said = readLookup(run, rules, { id, rule: undefined, reader, leaf: undefined }, found);
  // A time that was said in another request is none of this one's.
  const place = said.place?.in === 'text' && said.place.segment >= run.request_from ? said.place : null;
  const settled =
    said.sign === 'V' && reader !== null && place !== null && !isPastWithoutYear(run, rules, reader, place)
      ? knownState(id, 'fixed', 'R3', 'located', {
          source: 'instruction',
          place,
          also: said.also ?? 1,
        })
      : said.sign === 'F'
        ? unknownState(id, 'fixed', 'V2', 'lookup_failed', 'definition_repair')
        : unknownState(id, 'fixed', 'R3', 'timing_detail_missing', 'ask_user');
  return { state, details: [settled], timing: kind };
}

interface Act {
  readonly act: SlotState;
  readonly tool: SlotState | null;
}

function settleAct(run: RunInput, rules: Rules, board: Board, reductions: Reduction[]): Act | 'open' {
  const lookup = board.ask({ subject: { slot: 'act' }, source: 'instruction', key: {} });
  if (lookup === undefined) return 'open';
  if (lookup.outcome.said === 'failed') {
    return { act: unknownState('act', 'fixed', 'V2', 'lookup_failed', 'definition_repair'), tool: null };
  }
  // Whoever points at it, a word under a negation asks for nothing.
  const places = typedPlaces(run, lookup, run.request_from).filter(
    (at) => unnegated(run.segments[at.segment] as Segment, rules, [at]).length > 0,
  );
  const also = lookup.outcome.said === 'claim' ? lookup.outcome.also : 0;
  const place = places.at(-1);
  const tool = run.tool.name;
  const actAt = (at: Place) =>
    knownState('act', 'fixed', 'R14', 'located', { source: 'instruction', place: at, also });
  const toolBy = (reason: 'user_action_name' | 'act_words' | 'judged' | 'single_tool', at: Place | null) =>
    knownState('tool', 'fixed', 'R14', reason, { source: at === null ? null : 'instruction', place: at });

  if (rules.singleTool !== null) {
    reductions.push({ declared_by: rules.singleTool, kind: 'single_tool', slot: null });
    // One tool needs no match; that something was asked for still stands in the user's words.
    return place === undefined
      ? { act: unknownState('act', 'fixed', 'R14', 'act_not_said', 'ask_user'), tool: null }
      : {
          act: knownState('act', 'fixed', 'R-red', 'single_tool', { source: 'instruction', place, also }),
          tool: toolBy('single_tool', place),
        };
  }

  const named = ownNames(run, rules);
  if (named !== null) {
    return named.tool === tool
      ? { act: actAt(named.place), tool: toolBy('user_action_name', named.place) }
      : { act: actAt(named.place), tool: unknownState('tool', 'fixed', 'R14', 'other_act_said', 'ask_user') };
  }

  const own = places.filter((at) => readsAs(run, at, rules.actWords[tool] ?? [])).at(-1);
  if (own !== undefined) return { act: actAt(own), tool: toolBy('act_words', own) };
  const others = Object.keys(rules.actWords)
    .filter((name) => name !== tool)
    .sort(byCodeUnit);
  const other = places.find((at) => others.some((name) => readsAs(run, at, rules.actWords[name] ?? [])));
  if (other !== undefined) {
    return { act: actAt(other), tool: unknownState('tool', 'fixed', 'R14', 'other_act_said', 'ask_user') };
  }
  if (place === undefined) {
    return { act: unknownState('act', 'fixed', 'R14', 'act_not_said', 'ask_user'), tool: null };
  }
  // A hook located the act; only its explicit approval of the match passes. Silence is not approval.
  const match = run.entries.findLast((entry) => entry.kind === 'match');
  if (match?.kind === 'match' && match.failed === true) {
    const tool = unknownState('tool', 'fixed', 'V5', 'lookup_failed', 'definition_repair');
    return { act: actAt(place), tool };
  }
  if (match?.kind === 'match' && match.approved) {
    reductions.push({ declared_by: 'system', kind: 'judged_intent', slot: null });
    return { act: actAt(place), tool: toolBy('judged', place) };
  }
  return { act: actAt(place), tool: unknownState('tool', 'fixed', 'R14', 'match_refused', 'ask_user') };
}

/** What this user calls a tool, where the word was typed in this request. This tool's counts before another's. */
function ownNames(run: RunInput, rules: Rules): { readonly tool: string; readonly place: Place } | null {
  const said: { tool: string; place: Place }[] = [];
  for (const entry of run.entries) {
    if (entry.kind !== 'tool_name') continue;
    for (let index = run.request_from; index < run.segments.length; index++) {
      const segment = run.segments[index] as Segment;
      if (!isTyped(segment)) continue;
      const span = unnegated(segment, rules, findWords(segment, [entry.word]))[0];
      if (span !== undefined) said.push({ tool: entry.tool, place: inText(index, span) });
    }
  }
  return said.findLast(({ tool }) => tool === run.tool.name) ?? said.at(-1) ?? null;
}

function typedPlaces(run: RunInput, lookup: Lookup, from: number): TextPlace[] {
  if (lookup.outcome.said !== 'claim') return [];
  return lookup.outcome.claims
    .map((claim) => claim.at)
    .filter(
      (place): place is TextPlace =>
        place.in === 'text' &&
        place.segment >= from &&
        isTyped(run.segments[place.segment]) &&
        standsThere(textOf(run.segments[place.segment]), place),
    );
}

function readsAs(run: RunInput, place: Place, words: readonly string[]): boolean {
  if (place.in !== 'text' || words.length === 0) return false;
  const segment = run.segments[place.segment] as Segment;
  return findWords(segment, words).some((span) => span.start === place.start && span.end === place.end);
}
