import { plainOf } from '../events/content.ts';
import { isObject, type Json } from '../events/json.ts';
import { at as valueAt } from '../events/pointer.ts';
import type { Segment } from '../events/segment.ts';
import { TIMINGS } from '../events/vocabulary.ts';
import { findWords, isTyped, readSpan } from '../gate/conversation.ts';
import { locate, type RunInput, rulesFor } from '../gate/index.ts';
import { unnegated } from '../gate/negation.ts';
import { slotRuleOf } from '../gate/rules-for.ts';
import { slotReader } from '../gate/slot-reader.ts';
import { runOf } from './hook-context.ts';
import type { HookName, Hooks, MeasureHook } from './hooks.ts';

type RuleMade = Pick<
  Hooks,
  | 'classifyWhenCase'
  | 'extractUserActionName'
  | 'confirmToolNameMatchesIntent'
  | 'extractFromInstruction'
  | 'buildActionKey'
> & {
  /** Takes `measured_data` for measured because the caller says so: it verifies nothing, and `strict` refuses it. */
  readonly measureFromEnvironment: MeasureHook;
};

/**
 * Hooks that need no model: what the checklists declare (timing words, act words, readers) is looked for in what the user typed.
 * Given as they are, the gate itself looks, and each place can be looked at again in a replay; they may also be called from
 * a hook of your own, with its context. Nothing takes their place by itself: an adopter passes them.
 */
export const byRules: RuleMade = Object.freeze<RuleMade>({
  /** The one kind of timing whose declared words stand there; none and `unmarked_timing` declared: immediate. */
  classifyWhenCase: (ctx) => {
    const run = runOf(ctx);
    if (run === undefined) return undefined;
    const rules = rulesFor(run);
    const kinds = TIMINGS.filter((kind) =>
      isTypedIn(run, (segment) => findWords(segment, rules.timing[kind]?.words ?? [])),
    );
    if (kinds.length === 0) return rules.unmarkedTiming === null ? undefined : 'immediate';
    return kinds.length === 1 ? kinds[0] : undefined;
  },

  /** The newest declared act word that stands there. */
  extractUserActionName: (ctx) => {
    const place = runOf(ctx) === undefined ? undefined : placeOf(ctx, 'act');
    return place === undefined
      ? undefined
      : ctx.instruction[place.segment]?.text.slice(place.start, place.end);
  },

  /** Whether this tool's own act words stand there. */
  confirmToolNameMatchesIntent: (ctx) => {
    const run = runOf(ctx);
    if (run === undefined) return undefined;
    const rules = rulesFor(run);
    const words = rules.actWords[run.tool.name] ?? [];
    const approved = isTypedIn(run, (segment) => unnegated(segment, rules, findWords(segment, words)));
    return { approved, reason: approved ? 'act_words' : 'no act word of this tool was said' };
  },

  /** Where the proposed value stands in what was typed, as the slot's reader reads it; where none is proposed, rules don't guess one. */
  extractFromInstruction: (ctx) => {
    const run = runOf(ctx);
    const { slot } = ctx.field;
    const place = run === undefined ? undefined : placeOf(ctx, slot);
    if (run === undefined || place === undefined) return undefined;
    const { segment, start, end } = place;
    const value = readAt(run, slot, place);
    return value === undefined ? undefined : { value, segment_index: segment, span: [start, end] as const };
  },

  buildActionKey: (ctx) => JSON.stringify([ctx.userId, ctx.mcpTool.name]),

  measureFromEnvironment: (ctx) => {
    const name = ctx.field?.name ?? ctx.fact;
    const brought = ctx.measured_data ?? undefined;
    if (!isObject(brought) || !Object.hasOwn(brought, name)) return undefined;
    return { valid: true, value: brought[name] as Json };
  },
});

/** What stands in for a check that nobody makes: each by the name of its hook. */
export function unsafeDefaultsOf(hooks: Hooks): HookName[] {
  return hooks.measureFromEnvironment === byRules.measureFromEnvironment ? ['measureFromEnvironment'] : [];
}

function isTypedIn(run: RunInput, spansOf: (segment: Segment) => readonly unknown[]): boolean {
  return run.segments.some(
    (segment, index) => index >= run.request_from && isTyped(segment) && spansOf(segment).length > 0,
  );
}

function placeOf(ctx: Parameters<RuleMade['classifyWhenCase']>[0], slot: string) {
  const run = runOf(ctx) as RunInput;
  const { outcome } = locate(run, { subject: { slot }, source: 'instruction', key: {} });
  const at = outcome.said === 'claim' ? outcome.claims.at(-1)?.at : undefined;
  return at?.in === 'text' ? at : undefined;
}

function readAt(run: RunInput, slot: string, place: { segment: number; start: number; end: number }) {
  const rules = rulesFor(run);
  const prepared = run.proposal?.prepared;
  const leaf = prepared === null || prepared === undefined ? undefined : valueAt(plainOf(prepared), slot);
  const reader = slotReader(rules, slotRuleOf(rules, slot, false), leaf);
  const segment = run.segments[place.segment];
  return reader === null || segment === undefined ? undefined : readSpan(run, rules, segment, reader, place);
}
