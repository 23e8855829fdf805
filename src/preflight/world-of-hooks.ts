import { z } from 'zod';
import { encode } from '../events/canonical.ts';
import { plainOf } from '../events/content.ts';
import type { Entry } from '../events/entry.ts';
import type { Lookup, LookupRequest, Outcome } from '../events/lookup.ts';
import { TIMINGS, type Timing } from '../events/vocabulary.ts';
import { locate, type RunInput, rulesFor, step } from '../gate/index.ts';
import { byRules } from './by-rules.ts';
import { callHook, DEADLINE, type HookCall, type OnHookError } from './call-hook.ts';
import { actClaim, claimFrom, InstructionAnswer } from './claims-of-hooks.ts';
import { type Brought, contextFor, fieldOf } from './hook-context.ts';
import type { Hooks } from './hooks.ts';
import { type FactsMadeFor, measureBy, NO_FACTS_MADE } from './measuring-hooks.ts';
import type { Judgement, World } from './world.ts';

/** What one judgement gives its hooks beside the run. */
export interface Asking extends Brought {
  /** Milliseconds a hook may take; left out, 30 seconds. */
  readonly deadline?: number;
  /** Told of what hooks failed with. */
  readonly onHookError?: OnHookError | undefined;
  /** The instruction came without trust labels: then it has no place for anything, and no hook is asked for one. */
  readonly unlabelled?: boolean;
  readonly madeFor?: FactsMadeFor;
}

/** Out of the enumeration is undecidable, like silence: neither is a fault, and neither is ever "now". */
const TimingAnswer = z.unknown().transform((said) => TIMINGS.find((timing) => timing === said) ?? null);
const ActAnswer = z.string().trim().min(1).max(10_000);
const KeyAnswer = z.string().min(1).max(10_000);
const MatchAnswer = z.looseObject({ approved: z.boolean() });

const NO_PLACE: Outcome = { said: 'no_place' };

/**
 * The world of one judgement, made of hooks. What they say becomes an entry, a place or a segment; only their failures are recorded as
 * such. Hooks that don't need each other are asked side by side, and the record does not depend on which came back first.
 */
export function worldOfHooks(hooks: Hooks, asking: Asking): World {
  const { deadline = DEADLINE, onHookError } = asking;
  const call = (name: keyof Hooks): HookCall => ({ name, deadline, onHookError });
  const brought: Brought = { userId: asking.userId, measured_data: asking.measured_data };
  const madeFor = asking.madeFor ?? NO_FACTS_MADE;
  let claims = new Map<string, Promise<Lookup | null>>();

  const world: Required<World> = {
    async judge(run) {
      claims = new Map();
      // What is declared can't be used: then nothing is worth a hook's time (V1).
      if ('verdict' in step(run, [])) return nothingJudged([]);
      const [timing] = await Promise.all([timingOf(run), world.claim(run, ACT)]);
      const entries: Entry[] = timing === null ? [] : [timing];
      const timed = { ...run, entries: [...run.entries, ...entries] };
      const ends = await gateOne(timed, world);
      if (ends === 'intent') return nothingJudged(entries);
      const context = {
        ...contextFor(run, brought, false),
        when_case: timing?.timing ?? null,
        user_action_name: await actWords(run, world),
      };
      const key = await callHook(hooks.buildActionKey, context, KeyAnswer, call('buildActionKey'));
      if (key.said === 'failed') return { entries, action_key: { state: 'failed', key: null } };
      const action_key = { state: 'ok' as const, key: key.said === 'answer' ? key.value : null };
      if (ends === 'passed' || hooks.confirmToolNameMatchesIntent === byRules.confirmToolNameMatchesIntent)
        return { entries, action_key };
      const match = await matchOf(run, context);
      return { entries: [...entries, match], action_key };
    },

    claim(run, request) {
      const { subject, source, key } = request;
      if (source !== 'instruction' || !('slot' in subject)) return Promise.resolve(null);
      if (asking.unlabelled === true) return Promise.resolve({ request, by: 'hook', outcome: NO_PLACE });
      const { slot } = subject;
      // Words for a kind of timing, and those that name what a record holds, are found by rule.
      const asked = slot === 'act' || slot.startsWith('/') || slot.startsWith('when/');
      if (!asked || Object.keys(key).length > 0) return Promise.resolve(null);
      const id = encode(request);
      let claim = claims.get(id);
      if (claim === undefined) {
        claim = slot === 'act' ? actOf(run, request) : placeOf(run, request, slot);
        claims.set(id, claim);
      }
      return claim;
    },

    measure: (run, open) => measureBy(hooks, run, open, { brought, madeFor, deadline, onHookError }),
  };
  return world;

  async function timingOf(run: RunInput): Promise<Extract<Entry, { kind: 'timing' }> | null> {
    const carried = run.entries.some(({ kind }) => kind === 'trigger');
    if (carried || hooks.classifyWhenCase === byRules.classifyWhenCase) return null;
    const context = contextFor(run, brought, false);
    const answer = await callHook(hooks.classifyWhenCase, context, TimingAnswer, call('classifyWhenCase'));
    if (answer.said === 'failed') {
      return answer.code === 'hook/out_of_contract'
        ? { kind: 'timing', timing: null }
        : { kind: 'timing', timing: null, failed: true };
    }
    const timing = answer.said === 'answer' ? answer.value : null;
    return { kind: 'timing', timing: isReadable(run, timing) ? timing : null };
  }

  async function actOf(run: RunInput, request: LookupRequest): Promise<Lookup | null> {
    if (hooks.extractUserActionName === byRules.extractUserActionName) return null;
    const context = contextFor(run, brought, false);
    const answer = await callHook(
      hooks.extractUserActionName,
      context,
      ActAnswer,
      call('extractUserActionName'),
    );
    const outcome = answer.said === 'answer' ? actClaim(run, answer.value) : answer;
    return { request, by: 'hook', outcome };
  }

  async function placeOf(run: RunInput, request: LookupRequest, slot: string): Promise<Lookup | null> {
    if (hooks.extractFromInstruction === byRules.extractFromInstruction) return null;
    const context = { ...contextFor(run, brought, slot.startsWith('/')), field: fieldOf(run, slot) };
    const answer = await callHook(
      hooks.extractFromInstruction,
      context,
      InstructionAnswer,
      call('extractFromInstruction'),
    );
    const outcome = answer.said === 'answer' ? claimFrom(run, slot, answer.value) : answer;
    return { request, by: 'hook', outcome };
  }

  async function matchOf(
    run: RunInput,
    settled: { readonly when_case: Timing | null; readonly user_action_name: string | null },
  ): Promise<Entry> {
    const { when_case, user_action_name } = settled;
    const context = { ...contextFor(run, brought, true), when_case, user_action_name };
    const answer = await callHook(
      hooks.confirmToolNameMatchesIntent,
      context,
      MatchAnswer,
      call('confirmToolNameMatchesIntent'),
    );
    if (answer.said === 'failed') return { kind: 'match', approved: false, failed: true };
    return { kind: 'match', approved: answer.said === 'answer' && answer.value.approved };
  }
}

const ACT: LookupRequest = { subject: { slot: 'act' }, source: 'instruction', key: {} };

function nothingJudged(entries: readonly Entry[]): Judgement {
  return { entries, action_key: { state: 'ok', key: null } };
}

/** For any timing but now, its time, event or threshold must be found too: where nothing declares how, nothing can settle it (R3). */
function isReadable(run: RunInput, timing: Timing | null): boolean {
  return timing === null || timing === 'immediate' || rulesFor(run).timing[timing]?.detail !== undefined;
}

/** Asks the gate itself how far it comes: whether the intent is settled, and whether only a hook can still match the tool. */
async function gateOne(run: RunInput, world: Required<World>): Promise<'intent' | 'match' | 'passed'> {
  const lookups: Lookup[] = [];
  for (;;) {
    const next = step(run, lookups);
    if ('verdict' in next) {
      const open = next.verdict.intent.find(({ state }) => state === 'unknown');
      if (open === undefined) return 'passed';
      return open.slot !== 'tool' ? 'intent' : open.reason === 'match_refused' ? 'match' : 'passed';
    }
    const intents = next.need.filter(
      ({ subject }) => 'slot' in subject && !subject.slot.startsWith('/') && isIntent(subject.slot),
    );
    if (intents.length === 0) return 'passed';
    const answers = intents.map(async (request) => (await world.claim(run, request)) ?? locate(run, request));
    lookups.push(...(await Promise.all(answers)));
  }
}

function isIntent(slot: string): boolean {
  return slot === 'when' || slot === 'act' || slot.startsWith('when/');
}

/** The words of the act, from wherever they were located; null where they were not. */
async function actWords(run: RunInput, world: Required<World>): Promise<string | null> {
  const { outcome } = (await world.claim(run, ACT)) ?? locate(run, ACT);
  const at = outcome.said === 'claim' ? outcome.claims.at(-1)?.at : undefined;
  if (at?.in !== 'text') return null;
  const segment = run.segments[at.segment];
  const body = segment === undefined ? null : plainOf(segment.body);
  return typeof body === 'string' ? body.slice(at.start, at.end) : null;
}
