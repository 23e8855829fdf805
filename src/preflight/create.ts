import type { LoadedChecklist } from '../declarations/load.ts';
import { GroundsError } from '../errors.ts';
import type { Json } from '../events/json.ts';
import { randomId } from '../events/random-id.ts';
import { GATE_DIGEST } from '../gate-digest.ts';
import { openSqliteLogSync, type SyncLog } from '../log/index.ts';
import { environment } from '../runs/environment.ts';
import type { Around } from './around.ts';
import { asSkeleton } from './as-skeleton.ts';
import { type Askable, ask } from './ask.ts';
import { unsafeDefaultsOf } from './by-rules.ts';
import { DEADLINE, type OnHookError } from './call-hook.ts';
import { abandon, openRequest, say } from './conversation.ts';
import { type Deferred, defer, trigger } from './deferral.ts';
import {
  conversationGiven,
  type FiredTrigger,
  firedGiven,
  type GivenSegment,
  openedGiven,
  type ProposedCall,
  proposedGiven,
  segmentsGiven,
} from './given.ts';
import { answeredGiven, checklistsGiven, decidedGiven, judgedGiven, revokedGiven } from './given-replies.ts';
import { frozenCopy } from './hook-context.ts';
import { checkedHooks, type HookName, type Hooks } from './hooks.ts';
import { type Judged, judge } from './judge.ts';
import type { RecordStorage } from './prior-records.ts';
import { type Keepable, settingsToPropose } from './propose-settings.ts';
import { answer, approve, decline, type Replied, revoke } from './reply.ts';
import { keep, revokeSetting, type Setting, settingsOfUser } from './settings.ts';
import type { SkeletonInput, SkeletonState } from './skeleton-input.ts';
import { type Asking, worldOfHooks } from './world-of-hooks.ts';

export interface PreflightOptions {
  readonly hooks: Hooks;
  /** Left out: the SQLite file `grounds.db` of the working directory, made where there is none. */
  readonly log?: SyncLog;
  readonly checklists?: readonly LoadedChecklist[];
  /** Refuses hooks that stand for a check that nobody makes: those that `unsafeDefaults` would list. */
  readonly strict?: boolean;
  /** Milliseconds a hook may take: 30,000. */
  readonly deadline?: number;
  /** Told what a hook failed with, for a log of your own: it is never recorded, and nothing that this does changes a verdict. */
  readonly onHookError?: OnHookError;
  /** `inherit`: a value of the last execution confirms by itself (R10); `standard`, the default: a candidate only. */
  readonly ruleset?: 'standard' | 'inherit';
  /** Records kept beside the log too: told each one, and compared with the log (R10). */
  readonly storage?: RecordStorage;
  readonly clock?: () => string;
  readonly newId?: () => string;
}

/** All that an adopter needs, but for the executor: over one log, with one set of hooks and checklists. */
export interface Preflight {
  readonly log: SyncLog;
  /** Hooks that verify nothing. Where there are any, the gate is as weak as they are. */
  readonly unsafeDefaults: readonly HookName[];
  /** What the other parts of the live half take: a log, what is declared, and these hooks for one judgement. */
  around(asking?: Partial<Asking>): Around;
  /** The adopting system's signal that the user asks for something new (R2). @throws GroundsError `preflight/input` */
  openRequest(of: Parameters<typeof openRequest>[1]): Promise<string>;
  /** What was said: by whom, and whether the user's own hands typed it. @throws GroundsError `preflight/input` */
  say(conversation: string, segments: readonly GivenSegment[]): Promise<number>;
  /** Judges one call and records it in one durable commit. @throws GroundsError `preflight/input` before any hook is asked; as `judge` does */
  judge(proposed: ProposedCall): Promise<Judged>;
  /** Asks the user what a verdict leaves to them. @throws GroundsError as `ask` does */
  ask(judged: Askable): ReturnType<typeof ask>;
  /** Answers a question by slot; to use it, judge the call again. @throws GroundsError as `answer` does */
  answer(given: Parameters<typeof answer>[1]): Promise<Replied>;
  /** A yes to all that a question shows. @throws GroundsError as `approve` does */
  approve(given: Parameters<typeof approve>[1]): Promise<Replied>;
  /** A no to what a question shows, or to giving what it asks for. @throws GroundsError as `decline` does */
  decline(given: Parameters<typeof decline>[1]): Promise<Replied>;
  /** Takes an approval back, before a start has used it. @throws GroundsError as `revoke` does */
  revoke(given: Parameters<typeof revoke>[1]): Promise<Replied>;
  /** Keeps a schedulable call for its trigger. @throws GroundsError as `defer` does */
  defer(judged: Askable): Promise<Deferred>;
  /** Its trigger fired: the call is judged anew, with these hooks. @throws GroundsError `preflight/input`; as `trigger` does */
  trigger(fired: FiredTrigger): Promise<Judged>;
  /** Takes a request back: nothing more is asked, judged or executed for it. */
  abandon(request: string, because: Parameters<typeof abandon>[2]): Promise<void>;
  /** What a user settled for later, with their consent. */
  readonly settings: {
    /** @throws GroundsError as `keep` does */
    keep(given: Parameters<typeof keep>[1]): Promise<Setting>;
    list(user: string): readonly Setting[];
    /** @throws GroundsError as `revokeSetting` does */
    revoke(given: Parameters<typeof revokeSetting>[1]): Promise<void>;
    /** What they gave alike again and again: to be offered for keeping. */
    propose(user: string): readonly Keepable[];
  };
  /**
   * The source documents' form: one input, and the record of its verdict as the reference skeleton writes it (schema 1.8). It executes
   * nothing: give `grounds.run` to an executor.
   *
   * @throws GroundsError `preflight/input`, `preflight/instruction-changed`, `preflight/other-user`, `preflight/answered-otherwise`, `preflight/not-persisted`,
   * and as `judge`, `ask`, `answer`, `approve`, `defer` and `trigger` do
   */
  runPreflightAndRecord(input: SkeletonInput): Promise<SkeletonState>;
}

/**
 * A gate in front of tool calls: hooks answer what the log can't, and every answer is recorded with its verdict; what is left open is
 * asked, answered, approved or kept for its trigger. It executes nothing; an executor reads the recorded verdict.
 *
 * @throws GroundsError `preflight/hooks` with everything that is wrong with them; `preflight/unsafe-defaults` under `strict`;
 * `preflight/deadline`; `preflight/input` where `checklists` are not loaded ones
 * @example
 * const preflight = createPreflight({ log, hooks, checklists: [loadChecklistFile('bank.yaml')], strict: true });
 * const judged = await preflight.judge({ conversation, request, call, tool, arguments: args });
 * const questions = await preflight.ask(judged); // none where it is executable: give `judged.run` to an executor
 */
export function createPreflight(options: PreflightOptions): Preflight {
  const checklists = checklistsGiven(options.checklists ?? []);
  const hooks = checkedHooks(options.hooks, checklists.length === 0 ? null : measuredBy(checklists));
  const deadline = checkedDeadline(options.deadline ?? DEADLINE);
  const { onHookError } = options;
  const unsafeDefaults = Object.freeze(unsafeDefaultsOf(hooks));
  if (options.strict === true && unsafeDefaults.length > 0) throw unsafe(unsafeDefaults);
  const log = options.log ?? openSqliteLogSync({ file: 'grounds.db', create: true });
  const declared: Around['declared'] = {
    checklists: checklists.map(({ digest, checklist }) => ({ digest, body: checklist })),
    unsound: [],
    tools: new Map(),
    gate: GATE_DIGEST,
    ruleset: options.ruleset ?? 'standard',
  };
  const around = (asking: Partial<Asking> = {}): Around => ({
    log,
    declared,
    world: worldOfHooks(hooks, { userId: null, measured_data: null, deadline, onHookError, ...asking }),
    clock: options.clock ?? (() => new Date().toISOString()),
    newId: options.newId ?? randomId,
    environment: ENVIRONMENT,
  });
  const plain = around();
  const telling = (userId: string | undefined, measured_data: Json) =>
    around({ userId: userId ?? null, measured_data: frozenCopy<Json>(measured_data) });
  return {
    log,
    unsafeDefaults,
    around,
    openRequest: async (of) => openRequest(plain, openedGiven(of)),
    say: async (conversation, segments) =>
      say(plain, conversationGiven(conversation), segmentsGiven(segments)),
    judge: async (given) => {
      const { proposed, measured_data } = proposedGiven(given);
      return judge(telling(proposed.user, measured_data), proposed);
    },
    ask: async (judged) => ask(plain, judgedGiven(judged)),
    answer: async (given) => answer(plain, answeredGiven(given)),
    approve: async (given) => approve(plain, decidedGiven(given)),
    decline: async (given) => decline(plain, decidedGiven(given)),
    revoke: async (given) => revoke(plain, revokedGiven(given)),
    defer: async (judged) => defer(plain, judgedGiven(judged)),
    trigger: async (given) => {
      const { fired, measured_data } = firedGiven(given);
      return trigger(telling(fired.user, measured_data), fired);
    },
    abandon: (request, because) => abandon(plain, request, because),
    settings: {
      keep: (given) => keep(plain, given),
      list: (user) => settingsOfUser(log, user),
      revoke: (given) => revokeSetting(plain, given),
      propose: (user) => settingsToPropose(log, user, declared),
    },
    runPreflightAndRecord: asSkeleton({
      hooks,
      deadline,
      onHookError,
      storage: options.storage,
      declared: checklists.length > 0,
      around,
    }),
  };
}

const ENVIRONMENT = environment();

function measuredBy(checklists: readonly LoadedChecklist[]): string[] {
  return checklists.flatMap(({ checklist }) =>
    Object.values(checklist.facts).flatMap((fact) => fact.measured_by.map(({ tool }) => tool)),
  );
}

function checkedDeadline(deadline: number): number {
  // Longer than a timer can wait, it would fire at once.
  if (Number.isFinite(deadline) && deadline > 0 && deadline <= 2_147_483_647) return deadline;
  throw new GroundsError('preflight/deadline', `${deadline} is no deadline.`, {
    facts: { deadline },
    hint: 'Give milliseconds, more than 0 and less than 2^31.',
  });
}

function unsafe(names: readonly HookName[]): GroundsError {
  return new GroundsError(
    'preflight/unsafe-defaults',
    `These verify nothing, and strict refuses them: ${names.join(', ')}.`,
    {
      facts: { hooks: names },
      hint: 'Give hooks of your own in their place, or leave strict out and say so where the records are read.',
    },
  );
}
