import { z } from 'zod';
import type { FactDeclaration } from '../declarations/checklist.ts';
import { encode } from '../events/canonical.ts';
import { JsonValue } from '../events/content-schema.ts';
import { isObject, type Json } from '../events/json.ts';
import type { LookupRequest } from '../events/lookup.ts';
import { segmentsOf } from '../events/pointer.ts';
import type { Segment } from '../events/segment.ts';
import { keyGroups } from '../gate/facts.ts';
import { type RunInput, rulesFor } from '../gate/index.ts';
import { keysOf } from '../gate/keys.ts';
import { callHook, type HookAnswer, type HookCall, tellFailure } from './call-hook.ts';
import { type Brought, contextFor, fieldOf, frozenCopy } from './hook-context.ts';
import type { Hooks, MeasureContext } from './hooks.ts';
import type { Measured } from './world.ts';

type Alternative = FactDeclaration['measured_by'][number];

/** What generated rules know of a fact, and no checklist says: the argument or the user's item that it was made for. */
export interface FactsMadeFor {
  readonly fields: ReadonlyMap<string, string>;
  readonly items: ReadonlyMap<string, Readonly<Record<string, Json>>>;
}

export const NO_FACTS_MADE: FactsMadeFor = { fields: new Map(), items: new Map() };

/** What a measuring hook came to, whatever its own contract is. */
type Result =
  | { readonly said: 'value'; readonly value: Json }
  | { readonly said: 'unfinished' }
  | Exclude<HookAnswer<never>, { said: 'answer' }>;

const MeasureAnswer = z.union([
  z.looseObject({ valid: z.literal(true), value: JsonValue }),
  z.looseObject({ valid: z.literal(false) }),
]);
const ValidAnswer = z.union([z.boolean(), z.looseObject({ valid: z.boolean() })]);
const StatusAnswer = z.looseObject({ status: z.string() });

/**
 * Asks the hooks that facts are declared to be measured by, side by side. A hook that several facts name with the same key is
 * asked once. In the order of the requests.
 */
export async function measureBy(
  hooks: Hooks,
  run: RunInput,
  open: readonly LookupRequest[],
  around: { readonly brought: Brought; readonly madeFor: FactsMadeFor } & Omit<HookCall, 'name'>,
): Promise<Measured[]> {
  const calls = new Map<string, Promise<Result>>();
  const results = await Promise.all(open.map(async (request) => ({ request, ...(await first(request)) })));
  const kept = new Set<string>();
  return results.map(({ request, result, segment }): Measured => {
    if (result === null) return { request, found: null };
    if (result.said !== 'value')
      return { request, found: { lookup: { request, by: 'hook', outcome: result } } };
    const id = segment === null ? '' : encode(segment);
    // The same result once: the gate finds every fact that it measures.
    if (segment === null || kept.has(id)) return { request, found: null };
    kept.add(id);
    return { request, found: { segment } };
  });

  /** The first alternative, in declared order, whose hook has something to say. `result` null: there is no hook to ask. */
  async function first(request: LookupRequest): Promise<{ result: Result | null; segment: Segment | null }> {
    let asked: Result | null = null;
    for (const alternative of alternativesOf(run, request)) {
      const key = keyOf(run, request, alternative);
      if (key === null) continue;
      const fact = 'fact' in request.subject ? request.subject.fact : '';
      const result = await ask(fact, alternative, key);
      if (result?.said === 'absent') asked = result;
      if (result === null || result.said === 'absent') continue;
      const segment = result.said === 'value' ? segmentOf(alternative, key.args, result.value) : null;
      return { result, segment };
    }
    return { result: asked, segment: null };
  }

  function ask(fact: string, { tool }: Alternative, key: Key): Promise<Result> | null {
    const named = hooks.measure !== undefined && Object.hasOwn(hooks.measure, tool);
    const id = encode([tool, key, named ? null : fact]);
    let call = calls.get(id);
    if (call === undefined) {
      const begun = begin(fact, tool, key);
      if (begun === null) return null;
      call = begun;
      calls.set(id, call);
    }
    return call;
  }

  function begin(fact: string, tool: string, key: Key): Promise<Result> | null {
    const { brought, madeFor, deadline, onHookError } = around;
    const call = (name: string): HookCall => ({ name, deadline, onHookError });
    const missing = (hook: string): Promise<Result> => {
      tellFailure(onHookError, { hook, code: 'hook/missing', error: null });
      return Promise.resolve(MISSING);
    };
    const base = contextFor(run, brought, true);
    const slot = madeFor.fields.get(fact);
    const field = slot === undefined ? null : fieldOf(run, slot);
    const measuring: Omit<MeasureContext, 'signal'> = {
      ...base,
      fact,
      hook: tool,
      field,
      key: key.args,
      settled: key.settled,
    };
    const own = hooks.measure;
    if (own !== undefined && Object.hasOwn(own, tool))
      return measured(own[tool] as NonNullable<(typeof own)[string]>, measuring, call(`measure.${tool}`));
    switch (tool) {
      case 'measureFromEnvironment':
        return measured(hooks.measureFromEnvironment, measuring, call(tool));
      case 'verifyUserChecklistItem': {
        const item = madeFor.items.get(fact);
        if (item === undefined) return null;
        if (hooks.verifyUserChecklistItem === undefined) return missing(tool);
        return verified(hooks.verifyUserChecklistItem, { ...base, item }, call(tool));
      }
      case 'validateFieldSchema':
        if (hooks.validateFieldSchema === undefined) return missing(tool);
        if (field === null || !Object.hasOwn(key.args, 'value')) return null;
        return valid(
          hooks.validateFieldSchema,
          { ...base, field, value: key.args.value as Json },
          call(tool),
        );
      case 'validatePayload':
        if (hooks.validatePayload === undefined) return missing(tool);
        return valid(hooks.validatePayload, { ...base, payload: key.args }, call(tool));
      default:
        return null;
    }
  }
}

const MISSING: Result = { said: 'failed', code: 'hook/missing' };

async function measured<C>(hook: (ctx: never) => unknown, ctx: C, call: HookCall): Promise<Result> {
  const answer = await callHook(hook as (ctx: C) => unknown, ctx, MeasureAnswer, call);
  if (answer.said !== 'answer') return answer;
  return answer.value.valid ? { said: 'value', value: answer.value.value } : { said: 'unfinished' };
}

/** Checked and holds, or checked and does not; anything else was not checked. */
async function verified<C>(hook: (ctx: never) => unknown, ctx: C, call: HookCall): Promise<Result> {
  const answer = await callHook(hook as (ctx: C) => unknown, ctx, StatusAnswer, call);
  if (answer.said !== 'answer') return answer;
  const { status } = answer.value;
  if (status !== 'verified' && status !== 'violated') return { said: 'absent' };
  return { said: 'value', value: { holds: status === 'verified' } };
}

async function valid<C>(hook: (ctx: never) => unknown, ctx: C, call: HookCall): Promise<Result> {
  const answer = await callHook(hook as (ctx: C) => unknown, ctx, ValidAnswer, call);
  if (answer.said !== 'answer') return answer;
  const holds = typeof answer.value === 'boolean' ? answer.value : answer.value.valid;
  return { said: 'value', value: { holds } };
}

function alternativesOf(run: RunInput, request: LookupRequest): readonly Alternative[] {
  const { subject } = request;
  if (!('fact' in subject)) return [];
  const fact = rulesFor(run).facts.find(({ id }) => id === subject.fact);
  const refs = Object.keys(request.key);
  if (fact === undefined) return [];
  return (
    keyGroups(fact).find(
      (group) => group.refs.length === refs.length && group.refs.every((ref) => refs.includes(ref)),
    )?.alternatives ?? []
  );
}

interface Key {
  /** The arguments of the measurement, as `match` declares them. */
  readonly args: Readonly<Record<string, Json>>;
  readonly settled: Readonly<Record<string, Json>>;
}

/** null where a settled value can't be read. */
function keyOf(run: RunInput, request: LookupRequest, { match }: Alternative): Key | null {
  const keys = keysOf(run, rulesFor(run), request);
  if (keys === null) return null;
  let args: Json = {};
  for (const [left, right] of Object.entries(match)) {
    const key = keys[right];
    if (!left.startsWith('arguments/') || key === undefined) continue;
    args = put(args, segmentsOf(left.slice('arguments'.length)), key.value);
  }
  const settled = Object.fromEntries(Object.entries(keys).map(([ref, { value }]) => [ref, value]));
  return frozenCopy<Json>({ args, settled }) as unknown as Key;
}

/** The result as a piece of the conversation. What answers with one fact's record gives it where that fact looks for it. */
function segmentOf(alternative: Alternative, key: Readonly<Record<string, Json>>, value: Json): Segment {
  const whole = !BUILT_IN.includes(alternative.tool);
  return {
    at: null,
    author: 'hook',
    body: { plain: whole ? value : put({}, segmentsOf(alternative.record), value) },
    observes: { arguments: { plain: key }, failed: false, fault: null, tool: alternative.tool },
    origin: null,
    typed: false,
  };
}

const BUILT_IN: readonly string[] = [
  'measureFromEnvironment',
  'verifyUserChecklistItem',
  'validateFieldSchema',
  'validatePayload',
];

/** `*` is an element: one of them, since one value is put there. */
function put(into: Json, path: readonly string[], value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (key === '*') return [put({}, rest, value)];
  const object = isObject(into) ? into : {};
  const own = Object.hasOwn(object, key) ? (object[key] as Json) : {};
  return Object.fromEntries([
    ...Object.entries(object).filter(([k]) => k !== key),
    [key, put(own, rest, value)],
  ]);
}
