import type { LoadedChecklist } from '../declarations/load.ts';
import type { ToolDeclaration } from '../declarations/tool.ts';
import { GroundsError } from '../errors.ts';
import { digestOf } from '../events/digest.ts';
import type { Json } from '../events/json.ts';
import type { Lookup, LookupRequest, Outcome } from '../events/lookup.ts';
import type { Verdict } from '../events/verdict.ts';
import { argumentsOf } from '../gate/arguments.ts';
import { locate } from '../gate/locator/index.ts';
import { isGated } from '../gate/scope.ts';
import type { RunInput } from '../gate/types.ts';
import { undeclaredTool } from '../runs/declared.ts';
import { nowOf } from '../runs/now.ts';
import { argumentsFromText } from '../transcripts/call-arguments.ts';
import type { CallArguments } from '../transcripts/conversation.ts';
import { checklistsOf, type GivenChecklist } from './checklists.ts';
import { conversationOf, type GivenConversation, type Told } from './conversation.ts';
import { entriesFor, type GivenEntry } from './entries.ts';
import { checkKeys, differences, type Expectation, summary } from './expectation.ts';
import { driveByTheLaws } from './laws.ts';

/** A tool as far as a test needs to say it; what is left out is null, as where nothing came with the tool. */
export type GivenTool = Partial<ToolDeclaration> & { readonly name: string };

/** What a run has beside the conversation and the checklists. Each is what `RunInput` says of it. */
export interface Surroundings {
  readonly entries?: readonly GivenEntry[];
  readonly tools?: readonly GivenTool[];
  readonly phase?: RunInput['phase'];
  /** ISO 8601 with zone. Without it: what a checklist's `now` finds in the conversation. */
  readonly now?: string | null;
  readonly ruleset?: RunInput['ruleset'];
  readonly attempts?: Partial<RunInput['attempts']>;
  readonly action_key?: RunInput['action_key'];
  readonly request_from?: number;
  readonly unsound?: RunInput['unsound'];
  /** Of a file with several conversations: which, from 1. */
  readonly number?: number;
  /**
   * Answers as a hook would: an outcome, or undefined to leave the request to the conversation itself. The gate reads at
   * the place that the outcome points to, and believes nothing else of it.
   */
  readonly hook?: (request: LookupRequest, run: RunInput) => Outcome | undefined;
}

/** Of one proposal: the tool's own declaration, and what else differs from the surroundings. */
export interface ProposalOptions {
  readonly tool?: Omit<GivenTool, 'name'>;
  readonly phase?: RunInput['phase'];
  readonly now?: string | null;
  readonly entries?: readonly GivenEntry[];
}

export interface Given {
  /** Adds to the surroundings; entries and tools are added to those before, all else replaces. */
  with(more: Surroundings): Given;
  /** A call that the agent proposes now, after the whole conversation. */
  propose(tool: string, args: Json, options?: ProposalOptions): Proposed;
  /** The same, with the arguments as the text that was received: doubled keys and inexact numbers are seen. */
  propose(received: { readonly tool: string; readonly text: string }, options?: ProposalOptions): Proposed;
  /** Nothing is proposed yet: what the tool would need. */
  consider(tool: string, options?: ProposalOptions): Proposed;
  /** The transcript's own call, from 0, judged after what stood before it. */
  call(index: number, options?: ProposalOptions): Proposed;
}

/** One call under the gate. */
export interface Proposed {
  /** What the gate was given. */
  readonly run: RunInput;
  /** Why the received arguments could not be read exactly; null where they could. */
  readonly fault: CallArguments['fault'];
  readonly gated: boolean;
  /** Throws where anything that is named differs; gives itself back, so that expectations can follow one another. */
  finds(expectation: Expectation): Proposed;
  /** Throws where the verdict is not executable, or gives no arguments. */
  findsExecutable(): Proposed;
  /** @throws GroundsError `testing/not-gated` where the gate does not stand before this call. */
  verdict(): Verdict;
  /** Every lookup that the gate asked for. */
  lookups(): readonly Lookup[];
  rounds(): number;
  /** What an executor would call with. @throws GroundsError `gate/not-executable`. */
  arguments(): Json;
}

/** The tests' gate: its digest stands in every verdict, and is no released gate's. */
const GATE = `sha256:${'0'.repeat(64)}`;

/**
 * A call under the real gate, said so that it reads aloud. Any test runner will do: what differs is thrown as an error.
 * Checklists are read as a log would read them, and the laws of every run are checked on the way (`testing/law`).
 *
 * @throws GroundsError `testing/differs` with one line a difference and the verdict as it was found.
 * @example
 * import { given, user } from 'grounds/testing';
 *
 * const checklist = `
 * grounds: 1
 * checklist: bank/policy
 * declared_by: system
 * intent: { unmarked_timing: immediate, act_words: { transfer_funds: [send, transfer] } }
 * tools:
 *   transfer_funds:
 *     schema:
 *       type: object
 *       required: [amount, to_account]
 *       properties: { amount: { type: number }, to_account: { type: string } }
 *     slots: { /amount: { reader: money } }
 * `;
 *
 * given([user('Send 500 dollars to my landlord.')], checklist)
 *   .propose('transfer_funds', { amount: 500, to_account: '110-22-3344' })
 *   .finds({ kind: 'unknown', slots: { '/amount': 'located', '/to_account': 'not_said' } });
 */
export function given(
  conversation: GivenConversation,
  checklist: GivenChecklist | readonly GivenChecklist[] = [],
): Given {
  return surrounded(conversation, checklistsOf(checklist), {});
}

function surrounded(
  conversation: GivenConversation,
  loaded: readonly LoadedChecklist[],
  around: Surroundings,
): Given {
  const checklists = loaded.map(({ checklist, digest }) => ({ body: checklist, digest }));
  let told: Told | null = null;
  const tell = (): Told => {
    told ??= conversationOf(conversation, around.number);
    return told;
  };

  const judge = (
    name: string,
    args: CallArguments | null,
    segments: RunInput['segments'],
    options: ProposalOptions,
  ): Proposed => {
    const declared =
      around.tools?.findLast((each) => each.name === name) ??
      tell().conversation?.tools.find((each) => each.name === name);
    const tool: ToolDeclaration = { ...undeclaredTool(name), ...declared, ...options.tool, name };
    const tool_digest = digestOf(tool);
    const bodies = checklists.map(({ body }) => body);
    const now = options.now !== undefined ? options.now : around.now;
    const run: RunInput = {
      gate: GATE,
      ruleset: around.ruleset ?? 'standard',
      phase: options.phase ?? around.phase ?? 'at_trigger',
      now: now === undefined ? nowOf(bodies, segments) : now,
      attempts: { intent: 0, tool: 0, ...around.attempts },
      proposal:
        args === null
          ? null
          : {
              received: args.text === null ? null : { plain: args.text },
              prepared: args.value === null ? null : { plain: args.value },
            },
      tool,
      tool_digest,
      checklists,
      unsound: around.unsound ?? [],
      action_key: around.action_key ?? 'ok',
      segments,
      request_from: around.request_from ?? 0,
      entries: entriesFor([...(around.entries ?? []), ...(options.entries ?? [])], tool_digest),
    };
    return proposed(run, args?.fault ?? null, around.hook);
  };

  return {
    with: (more) =>
      surrounded(conversation, loaded, {
        ...around,
        ...more,
        entries: [...(around.entries ?? []), ...(more.entries ?? [])],
        tools: [...(around.tools ?? []), ...(more.tools ?? [])],
      }),
    propose: (
      first: string | { readonly tool: string; readonly text: string },
      second?: Json | ProposalOptions,
      third?: ProposalOptions,
    ) => {
      const { segments } = tell();
      return typeof first === 'string'
        ? judge(first, { text: null, value: second as Json, fault: null }, segments, third ?? {})
        : judge(first.tool, argumentsFromText(first.text), segments, (second ?? {}) as ProposalOptions);
    },
    consider: (name, options = {}) => judge(name, null, tell().segments, options),
    call: (index, options = {}) => {
      const { calls, segments } = tell();
      const call = calls[index];
      if (call === undefined) {
        throw new GroundsError('testing/call', `The conversation has no call ${index}.`, {
          facts: { calls: calls.map(({ tool }) => tool) },
          hint: 'Count from 0, in the order of proposal; a conversation given by pieces has none.',
        });
      }
      return judge(call.tool, call.arguments, segments.slice(0, call.before), options);
    },
  };
}

function proposed(run: RunInput, fault: CallArguments['fault'], hook: Surroundings['hook']): Proposed {
  const gated = isGated(run, plain(run));
  let driven: ReturnType<typeof driveByTheLaws> | null = null;
  const drive = (): ReturnType<typeof driveByTheLaws> => {
    if (!gated) {
      throw new GroundsError(
        'testing/not-gated',
        `${run.tool.name} is declared reversible: there is no verdict.`,
        {
          hint: 'Expect { gated: false }, or take `reversible` out of the checklist.',
        },
      );
    }
    driven ??= driveByTheLaws(run, (request) => {
      const outcome = hook?.(request, run);
      return outcome === undefined ? locate(run, request) : { request, by: 'hook', outcome };
    });
    return driven;
  };
  const differs = (lines: readonly string[]): never => {
    const found = gated ? summary(run, drive().verdict) : '  not gated: declared reversible';
    throw new GroundsError(
      'testing/differs',
      `The gate finds something else for ${run.tool.name}:\n${lines.join('\n')}\n\nIt finds\n${found}`,
      { facts: { differences: lines }, hint: 'Correct the expectation, or what is declared or said.' },
    );
  };
  const self: Proposed = {
    run,
    fault,
    gated,
    finds(expectation) {
      checkKeys(expectation);
      const wanted = expectation.gated;
      if (wanted !== undefined && wanted !== gated)
        differs([`  gated   expected ${wanted}   found ${gated}`]);
      const { gated: _, ...rest } = expectation;
      if (Object.keys(rest).length === 0) return self;
      const lines = differences(rest, run, drive().verdict);
      if (lines.length > 0) differs(lines);
      return self;
    },
    findsExecutable() {
      self.finds({ kind: 'executable', unknown_count: 0, unmet: [] });
      self.arguments();
      return self;
    },
    verdict: () => drive().verdict,
    lookups: () => drive().lookups,
    rounds: () => drive().rounds,
    arguments: () => argumentsOf(run, drive().verdict),
  };
  return self;
}

function plain(run: RunInput): Json | undefined {
  const prepared = run.proposal?.prepared;
  return prepared !== null && prepared !== undefined && 'plain' in prepared ? prepared.plain : undefined;
}
