import { nearest } from '../declarations/nearest.ts';
import { GroundsError } from '../errors.ts';
import type { Json } from '../events/json.ts';
import type { Source, Timing } from '../events/vocabulary.ts';

/** One piece of the conversation, as a hook sees it. Its index in the list is the `segment_index` of a claim. */
export interface InstructionSegment {
  /** `''` where the piece is structured: then it stands in `value`. */
  readonly text: string;
  readonly value: Json | null;
  /** `user`: typed by the user. Nothing else can confirm an instruction. */
  readonly trust: 'user' | 'untrusted';
  readonly author: string;
  readonly origin: string | null;
  readonly at: string | null;
}

/** What every hook is given: frozen copies, and a signal that is aborted at the hook's deadline. */
export interface HookContext {
  readonly userId: string | null;
  readonly instruction: readonly InstructionSegment[];
  /** Where this request begins in `instruction`: what was asked for, and when, stands from there on. */
  readonly request_from: number;
  /** Until the match there is nothing of the provider's but the tool's name. */
  readonly mcpTool: {
    readonly name: string;
    readonly description: string | null;
    readonly inputSchema: Json | null;
  };
  /** The arguments as the agent proposes them; null where it proposes none. */
  readonly arguments: Json | null;
  /** What the caller brought beside the conversation; null where it brought nothing. */
  readonly measured_data: Json | null;
  readonly now: string | null;
  readonly signal: AbortSignal;
}

export interface ActContext extends HookContext {
  /** As settled before; null while it is not. */
  readonly when_case: Timing | null;
  readonly user_action_name: string | null;
}

export interface FieldContext extends HookContext {
  /** `slot` is its JSON Pointer (`/items/0/id`), or `when/scheduled` for the words that say when. */
  readonly field: { readonly name: string; readonly slot: string; readonly schema: Json | null };
}

export interface MeasureContext extends HookContext {
  /** The fact that is asked for, and the name under which the checklist names this hook. */
  readonly fact: string;
  readonly hook: string;
  /** The argument that it was declared for; null where it is a fact of a checklist. */
  readonly field: { readonly name: string; readonly slot: string } | null;
  /** What the measurement is to be made with: built from settled values, as `match` declares (`arguments/…`). */
  readonly key: Readonly<Record<string, Json>>;
  /** Every settled value that the fact is keyed by, by its reference: a slot (`/order_id`) or another fact's field (`order#/user_id`). */
  readonly settled: Readonly<Record<string, Json>>;
}

export interface ItemContext extends HookContext {
  /** As the user declared it, without any status that came with it. */
  readonly item: Readonly<Record<string, Json>>;
}

export interface ValueContext extends HookContext {
  readonly field: { readonly name: string; readonly slot: string; readonly schema: Json | null };
  readonly value: Json;
}

export interface PayloadContext extends HookContext {
  /** The required arguments as settled. */
  readonly payload: Readonly<Record<string, Json>>;
}

/** A span of UTF-16 code units, half-open. */
export type HookSpan =
  | readonly [start: number, end: number]
  | { readonly start: number; readonly end: number };

/** `undefined` says that there is nothing; a throw, a rejection, a deadline passed or any other shape is a failure. */
export type Answer<T> = T | undefined | Promise<T | undefined>;

type Hook<C, T> = (ctx: C) => Answer<T>;

export type MeasureHook = Hook<MeasureContext, { readonly valid: boolean; readonly value?: Json }>;

/** The hooks by their names in the source documents. */
export interface Hooks {
  /** What the user said of when; anything but one of the four, `undefined` too, is undecidable and never "now". */
  readonly classifyWhenCase: Hook<HookContext, Timing>;
  /** What the user calls this act, as it stands in what they typed in this request. */
  readonly extractUserActionName: Hook<HookContext, string>;
  /** Whether the act is this tool. Only `{ approved: true }` passes. */
  readonly confirmToolNameMatchesIntent: Hook<
    ActContext,
    { readonly approved: boolean; readonly reason?: string }
  >;
  /** Where the user typed a value. It is read at that place; the value that comes along must be what stands there. */
  readonly extractFromInstruction: Hook<
    FieldContext,
    { readonly value: Json; readonly segment_index: number; readonly span: HookSpan }
  >;
  /** What the environment says of one fact: the value is the fact's record. A model's answer is not a measurement. */
  readonly measureFromEnvironment: MeasureHook;
  /** Names the execution unit; how it is made sets how far `prior_state` reaches. */
  readonly buildActionKey: Hook<ActContext, string>;
  /** Whether a field may stay open until the trigger, and which sources may confirm it. For rules that are generated. */
  readonly applyFieldPolicy?: Hook<
    FieldContext,
    { readonly pending_at_trigger?: boolean; readonly sources?: readonly Source[] }
  >;
  /** A check beside the gate's own of type and format. */
  readonly validateFieldSchema?: Hook<ValueContext, boolean | { readonly valid: boolean }>;
  /** `verified`: checked and holds; `violated`: checked and does not; anything else: not checked. */
  readonly verifyUserChecklistItem?: Hook<ItemContext, { readonly status: string }>;
  /** A check of the whole beside the gate's own against the tool's schema. */
  readonly validatePayload?: Hook<PayloadContext, boolean | { readonly valid: boolean }>;
  /** Measuring hooks by the name under which a checklist's `measured_by` names them. The value is the whole result. */
  readonly measure?: Readonly<Record<string, MeasureHook>>;
}

export const REQUIRED_HOOKS = [
  'classifyWhenCase',
  'extractUserActionName',
  'confirmToolNameMatchesIntent',
  'extractFromInstruction',
  'measureFromEnvironment',
  'buildActionKey',
] as const;

export const OPTIONAL_HOOKS = [
  'applyFieldPolicy',
  'validateFieldSchema',
  'verifyUserChecklistItem',
  'validatePayload',
] as const;

export type HookName = (typeof REQUIRED_HOOKS)[number] | (typeof OPTIONAL_HOOKS)[number];

const BY_RULES = 'byRules has all six without a model: hooks: { ...byRules }.';

const NAMES: readonly string[] = [...REQUIRED_HOOKS, ...OPTIONAL_HOOKS];

/** As a checklist names a tool or hook. */
const MEASURING_NAME = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/;

/**
 * A copy of the hooks that nobody changes any more.
 *
 * @param named the tools and hooks that the checklists measure by; null: no checklist is given
 * @throws GroundsError `preflight/hooks`: every missing, misspelled or unusable hook at once, in `facts.problems`
 */
export function checkedHooks(given: unknown, named: readonly string[] | null): Hooks {
  if (typeof given !== 'object' || given === null) {
    const hint = `Give ${REQUIRED_HOOKS.join(', ')}; ${OPTIONAL_HOOKS.join(', ')} and measure may be left out. ${BY_RULES}`;
    throw refused([{ hook: 'hooks', problem: 'they are not given', hint }]);
  }
  const problems: HookProblem[] = [];
  const hooks: Record<string, unknown> = {};
  const all = entriesOf(given);
  for (const name of REQUIRED_HOOKS) {
    if (all.has(name)) continue;
    const slip = nearest(
      name,
      [...all.keys()].filter((each) => !NAMES.includes(each)),
    );
    const hint = slip === undefined ? `It is required. ${BY_RULES}` : `"${slip}" was probably meant.`;
    problems.push({ hook: name, problem: 'it is missing', hint });
  }
  for (const [name, hook] of all) {
    if (name === 'measure') {
      hooks.measure = measuring(hook, named, problems);
    } else if (!NAMES.includes(name)) {
      const near = nearest(name, [...NAMES, 'measure']);
      const hint =
        near === undefined
          ? 'Remove it, or put a measuring hook under `measure`.'
          : `Did you mean "${near}"?`;
      problems.push({ hook: name, problem: 'there is no such hook', hint });
    } else if (typeof hook === 'function') {
      hooks[name] = hook;
    } else if (hook !== undefined || (REQUIRED_HOOKS as readonly string[]).includes(name)) {
      problems.push({ hook: name, problem: 'it is not a function', hint: 'Give a function of one context.' });
    }
  }
  if (problems.length > 0) throw refused(problems);
  return Object.freeze(hooks) as unknown as Hooks;
}

interface HookProblem {
  readonly hook: string;
  readonly problem: string;
  readonly hint: string;
}

function measuring(
  given: unknown,
  named: readonly string[] | null,
  problems: HookProblem[],
): Readonly<Record<string, unknown>> {
  const out: Record<string, unknown> = Object.create(null);
  if (given === undefined) return out;
  if (typeof given !== 'object' || given === null) {
    const hint = 'Give an object: the name that a checklist measures by, and the function.';
    problems.push({ hook: 'measure', problem: 'it is not an object of functions', hint });
    return out;
  }
  for (const [name, hook] of entriesOf(given)) {
    const at = `measure.${name}`;
    if (typeof hook !== 'function') {
      problems.push({ hook: at, problem: 'it is not a function', hint: 'Give a function of one context.' });
    } else if (NAMES.includes(name) || !MEASURING_NAME.test(name)) {
      const hint = 'Give it a name of its own, of letters, digits, _ . : -';
      problems.push({ hook: at, problem: 'it can not be named so', hint });
    } else if (named !== null && !named.includes(name)) {
      const near = nearest(name, named);
      const hint = near === undefined ? `Name it in a fact's measured_by.` : `Did you mean "${near}"?`;
      problems.push({ hook: at, problem: 'no checklist measures by it', hint });
    } else out[name] = hook;
  }
  return Object.freeze(out);
}

function entriesOf(given: object): Map<string, unknown> {
  return new Map(Object.entries(given));
}

function refused(problems: readonly HookProblem[]): GroundsError {
  const told = problems.map(({ hook, problem, hint }) => `  ${hook}: ${problem}. ${hint}`);
  const count = problems.length === 1 ? 'A hook can' : `${problems.length} hooks can`;
  return new GroundsError('preflight/hooks', `${count} not be used:\n${told.join('\n')}`, {
    facts: { problems },
    hint: 'Correct these; docs/preflight.md has the contract of each hook.',
  });
}
