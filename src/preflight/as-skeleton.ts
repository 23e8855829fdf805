import { renderRecord, type SkeletonRecord } from '../compat/index.ts';
import { GroundsError } from '../errors.ts';
import { encode } from '../events/canonical.ts';
import type { Json } from '../events/json.ts';
import type { Segment } from '../events/segment.ts';
import type { RunInput } from '../gate/index.ts';
import { segmentsOf } from '../runs/conversation.ts';
import { keepNewest } from '../runs/keep-newest.ts';
import { standingOf } from '../runs/standing.ts';
import type { Around } from './around.ts';
import { ask } from './ask.ts';
import type { OnHookError } from './call-hook.ts';
import { defer } from './deferral.ts';
import { frozenCopy } from './hook-context.ts';
import type { Hooks } from './hooks.ts';
import { type Judged, judge } from './judge.ts';
import { comparing, type RecordStorage } from './prior-records.ts';
import {
  instructionOf,
  type SkeletonInput,
  type SkeletonState,
  type Standing,
  toolOf,
} from './skeleton-input.ts';
import { rulesMaker } from './skeleton-policies.ts';
import { answerWaiting, broughtBy, decideShown } from './skeleton-replies.ts';
import { LOOKED_AGAIN, type MadeRules } from './skeleton-rules.ts';
import { firedAt, judgeAtTrigger } from './skeleton-trigger.ts';
import type { AskedQuestion } from './waiting.ts';
import { whoseCall } from './whose.ts';
import type { Asking } from './world-of-hooks.ts';

export interface SkeletonParts {
  readonly hooks: Hooks;
  readonly deadline: number;
  readonly onHookError: OnHookError | undefined;
  readonly storage: RecordStorage | undefined;
  /** False: no checklists were given, and the skeleton's own rules are made from the tool's schema. */
  readonly declared: boolean;
  around(asking: Partial<Asking>): Around;
}

type RunPreflightAndRecord = (input: SkeletonInput) => Promise<SkeletonState>;

/** How many requests of users are remembered, to go on where the caller only counts attempts. */
const REMEMBERED = 1_000;

interface Remembered {
  readonly standing: Standing;
  readonly instruction: readonly string[];
}

/** The source documents' form of a preflight: one input, one record. */
export function asSkeleton(parts: SkeletonParts): RunPreflightAndRecord {
  const last = new Map<string, Remembered>();
  const rulesOf = rulesMaker(parts);

  return async (input) => {
    const tool = toolOf(input.mcpTool);
    const { segments, unlabelled } = instructionOf(input.instruction);
    const spelled = segments.map((segment) => encode(segment));
    const plain = parts.around({});
    const before = input.grounds ?? (goesOn(input) ? goneOn(last.get(input.userId), spelled) : undefined);
    // Seen before anything is answered for it.
    if (before !== undefined) whoseCall(plain.log, standingOf(plain.log, before.call), input.userId);
    const conversation = before?.conversation ?? plain.newId();
    const request = before?.request ?? plain.newId();
    const call = before?.call ?? plain.newId();
    const rules = await rulesOf(input, tool, segments);
    const around = withRules(
      parts.around({
        userId: input.userId,
        measured_data: frozenCopy<Json>(input.measured_data ?? null),
        unlabelled,
        madeFor: rules.madeFor,
      }),
      rules,
      (world) => comparing(world, plain.log, input.priorExecutionState, parts.storage, parts),
    );
    const since = newSegments(plain, conversation, segments, spelled);
    const brought = broughtBy(input);
    const decided = await decideShown(around, brought);
    const answered = await answerWaiting(around, call, brought);

    const proposed = {
      conversation,
      request,
      call,
      tool,
      opens: true,
      arguments: input.arguments ?? null,
      user: input.userId,
      settings: input.preSetData ?? {},
    };
    const by = input.phase === 'at_trigger' ? firedAt(plain.log, call, decided || answered) : null;
    let judged = await (by === null
      ? judge(around, { ...proposed, segments: before === undefined ? since : [...since, LOOK_AGAIN] })
      : judgeAtTrigger(around, by, proposed, since));
    let questions = await asked(around, judged, input);
    // What the caller knows already is asked and answered at once; then the call is judged with the answer.
    for (let again = 0; again < 2 && (await answerWaiting(around, call, brought)); again++) {
      judged = await judge(around, proposed);
      questions = await asked(around, judged, input);
    }
    if (judged.verdict.kind === 'schedulable') await defer(around, judged);
    const standing = { conversation, request, call, run: judged.run };
    keepNewest(last, input.userId, { standing, instruction: spelled }, REMEMBERED);
    const record = recordOf(around, judged);
    const beside = { ...standing, verdict_digest: judged.verdict_digest, questions };
    const state = {
      ...record,
      grounds: { ...(record.grounds as object), ...beside },
    } as unknown as SkeletonState;
    await persisted(parts, state);
    return state;
  };
}

/** Where a call goes on, this makes every measurement of before stale: what was measured is never carried. */
const LOOK_AGAIN: Segment = {
  at: null,
  author: 'system',
  typed: false,
  origin: null,
  body: { plain: null },
  observes: { tool: LOOKED_AGAIN, arguments: { plain: {} }, failed: false, fault: null },
};

function withRules(
  around: Around,
  rules: MadeRules,
  wrap: (world: Around['world']) => Around['world'],
): Around {
  const { declared } = around;
  return {
    ...around,
    world: wrap(around.world),
    declared: {
      ...declared,
      checklists: checklistsWith(declared.checklists, rules.checklists),
      unsound: [...declared.unsound, ...rules.unsound],
    },
  };
}

const joined = new WeakMap<RunInput['checklists'], WeakMap<RunInput['checklists'], RunInput['checklists']>>();

function checklistsWith(own: RunInput['checklists'], made: RunInput['checklists']): RunInput['checklists'] {
  let byMade = joined.get(own);
  if (byMade === undefined) {
    byMade = new WeakMap();
    joined.set(own, byMade);
  }
  let all = byMade.get(made);
  if (all === undefined) {
    all = [...own, ...made];
    byMade.set(made, all);
  }
  return all;
}

/** The caller counts attempts or brings what was answered: so it is no new request. */
function goesOn({ intent_attempt, tool_attempt, userAnswers, userApprovals }: SkeletonInput): boolean {
  const replies = { ...userAnswers, ...userApprovals };
  return (intent_attempt ?? 0) > 0 || (tool_attempt ?? 0) > 0 || Object.keys(replies).length > 0;
}

function goneOn(before: Remembered | undefined, spelled: readonly string[]): Standing | undefined {
  return before?.instruction.every((segment, index) => segment === spelled[index]) === true
    ? before.standing
    : undefined;
}

/**
 * What the conversation does not hold yet. It may hold more: what was answered in words stays said, also where the caller doesn't repeat it.
 *
 * @throws GroundsError `preflight/instruction-changed`
 */
function newSegments(
  { log }: Around,
  conversation: string,
  segments: readonly Segment[],
  spelled: readonly string[],
): readonly Segment[] {
  const held = segmentsOf(log, conversation);
  const said = held.filter(({ author, observes }) => author !== 'hook' && observes === null);
  if (said.slice(0, spelled.length).some((segment, index) => encode(segment) !== spelled[index])) {
    throw new GroundsError(
      'preflight/instruction-changed',
      'The instruction is not the one that this call began with.',
      {
        facts: { conversation },
        hint: 'Give what was said before unchanged, and what is new after it; for a new request leave out `grounds`.',
      },
    );
  }
  return segments.slice(said.length);
}

function recordOf(around: Around, { input, verdict, action_key }: Judged): SkeletonRecord {
  return renderRecord(input, verdict, { action_key, resolved_at: around.clock() });
}

/** What the user is asked; the caller's own count says that they replied to what was asked before. */
async function asked(
  around: Around,
  judged: Judged,
  { intent_attempt, tool_attempt }: SkeletonInput,
): Promise<readonly AskedQuestion[]> {
  const { kind } = judged.verdict;
  if (kind === 'executable' || kind === 'schedulable') return [];
  const counted = kind === 'tool_undetermined' ? tool_attempt : intent_attempt;
  const { attempts } = judged.input;
  const before = kind === 'tool_undetermined' ? attempts.tool : attempts.intent;
  return ask(around, judged, { anew: before > 0 && (counted ?? 0) >= before });
}

async function persisted({ storage }: SkeletonParts, state: SkeletonState): Promise<void> {
  if (storage === undefined) return;
  try {
    await storage.persist(frozenCopy(state as unknown as Json) as never);
  } catch (cause) {
    throw new GroundsError(
      'preflight/not-persisted',
      'The record stands in the log, but storage.persist did not take it.',
      {
        facts: { run: state.grounds.run, call: state.grounds.call },
        hint: 'Mend the storage; the log has the record under this run.',
        cause,
      },
    );
  }
}
