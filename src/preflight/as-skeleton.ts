import { renderRecord, type SkeletonRecord } from '../compat/index.ts';
import { GroundsError } from '../errors.ts';
import { encode } from '../events/canonical.ts';
import { uuidFrom } from '../events/ids.ts';
import type { Json } from '../events/json.ts';
import type { Segment } from '../events/segment.ts';
import type { RunInput } from '../gate/index.ts';
import { segmentsOf } from '../runs/conversation.ts';
import type { Around } from './around.ts';
import { frozenCopy } from './hook-context.ts';
import type { Hooks } from './hooks.ts';
import { type Judged, judge } from './judge.ts';
import { comparing, type RecordStorage, slotOf } from './prior-records.ts';
import { type Asks, recordAnswers, recordAsked } from './skeleton-asking.ts';
import {
  instructionOf,
  type SkeletonInput,
  type SkeletonState,
  type Standing,
  toolOf,
} from './skeleton-input.ts';
import { rulesMaker } from './skeleton-policies.ts';
import { LOOKED_AGAIN, type MadeRules } from './skeleton-rules.ts';
import type { Asking } from './world-of-hooks.ts';

export interface SkeletonParts {
  readonly hooks: Hooks;
  readonly deadline: number;
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
    const at = before ?? {
      conversation: plain.newId(),
      request: plain.newId(),
      call: plain.newId(),
      run: '',
    };
    const rules = await rulesOf(input, tool, segments);
    const around = withRules(
      parts.around({
        userId: input.userId,
        measured_data: frozenCopy<Json>(input.measured_data ?? null),
        unlabelled,
        madeFor: rules.madeFor,
      }),
      rules,
      (world) => comparing(world, plain.log, input.priorExecutionState, parts.storage, parts.deadline),
    );
    const user = uuidFrom(plain.log.importKey, 'user', input.userId);
    const answers = new Map(
      Object.entries(input.userAnswers ?? {}).map(([name, value]) => [slotOf(name), value]),
    );
    await recordAnswers(around, at.call, user, answers);

    const proposed = {
      ...at,
      tool,
      opens: true,
      arguments: input.arguments ?? null,
      user: input.userId,
      settings: input.preSetData ?? {},
    };
    const newOnes = newSegments(plain, at.conversation, segments, spelled);
    let judged = await judge(around, { ...proposed, segments: newOnes });
    let record = recordOf(around, judged);
    // What the caller knows already is asked and answered at once; then the call is judged with the answer.
    for (let again = 0; again < 2; again++) {
      const asks = asksOf(judged, record);
      if (asks === null) break;
      await recordAsked(around, judged, at.request, asks);
      if (!(await recordAnswers(around, at.call, user, answers))) break;
      judged = await judge(around, proposed);
      record = recordOf(around, judged);
    }
    const standing = { ...at, run: judged.run };
    remember(last, input.userId, { standing, instruction: spelled });
    const state = {
      ...record,
      grounds: { ...(record.grounds as object), ...standing, verdict_digest: judged.verdict_digest },
    } as SkeletonState;
    await persisted(parts, state);
    return state;
  };
}

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

/** The caller counts attempts or brings answers: so it is no new request. */
function goesOn({ intent_attempt, tool_attempt, userAnswers }: SkeletonInput): boolean {
  return (intent_attempt ?? 0) > 0 || (tool_attempt ?? 0) > 0 || Object.keys(userAnswers ?? {}).length > 0;
}

function goneOn(before: Remembered | undefined, spelled: readonly string[]): Standing | undefined {
  return before?.instruction.every((segment, index) => segment === spelled[index]) === true
    ? before.standing
    : undefined;
}

function remember(last: Map<string, Remembered>, user: string, one: Remembered): void {
  last.delete(user);
  last.set(user, one);
  for (const oldest of last.keys()) {
    if (last.size <= REMEMBERED) break;
    last.delete(oldest);
  }
}

/**
 * What the conversation does not hold yet. Where it goes on, the piece that says so makes every measurement of before stale: what was
 * measured is never carried.
 */
function newSegments(
  { log }: Around,
  conversation: string,
  segments: readonly Segment[],
  spelled: readonly string[],
): readonly Segment[] {
  const held = segmentsOf(log, conversation);
  if (held.length === 0) return segments;
  const said = held.filter(({ author, observes }) => author !== 'hook' && observes === null);
  if (said.length > segments.length || said.some((segment, index) => encode(segment) !== spelled[index])) {
    throw new GroundsError(
      'preflight/instruction-changed',
      'The instruction is not the one that this call began with.',
      {
        facts: { conversation },
        hint: 'Give what was said before unchanged, and what is new after it; for a new request leave out `grounds`.',
      },
    );
  }
  return [...segments.slice(said.length), LOOK_AGAIN];
}

function recordOf(around: Around, { input, verdict, action_key }: Judged): SkeletonRecord {
  return renderRecord(input, verdict, { action_key, resolved_at: around.clock() });
}

/** What the record asks the user: in words or by its blanks. null: nothing that the user could answer. */
function asksOf({ verdict }: Judged, record: SkeletonRecord): Asks | null {
  if (record.execution_decision !== 'ask_user') return null;
  const text = record.gate?.user_message ?? '';
  if (verdict.kind === 'intent_undetermined') return { about: 'intent', slots: [], text };
  if (verdict.kind === 'tool_undetermined') return { about: 'tool', slots: [], text };
  const slots = (verdict.slots ?? []).flatMap((state) =>
    state.state === 'unknown' && state.route === 'ask_user' && state.slot.startsWith('/') && !state.pending
      ? [state.slot]
      : [],
  );
  return slots.length === 0 ? null : { about: 'slots', slots, text: text === '' ? slots.join(', ') : text };
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
