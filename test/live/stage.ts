import { isGroundsError } from '../../src/errors.ts';
import { digestOf } from '../../src/events/digest.ts';
import { makeEvent, streamOf } from '../../src/events/index.ts';
import type { Json } from '../../src/events/json.ts';
import { at as valueAt } from '../../src/events/pointer.ts';
import type { Segment } from '../../src/events/segment.ts';
import type { ToolDeclaration } from '../../src/events/tool.ts';
import { createExecutor, type Execution, type Executor } from '../../src/executor/index.ts';
import { openMemoryLog, type SyncLog } from '../../src/log/index.ts';
import type { Around } from '../../src/preflight/around.ts';
import { ask } from '../../src/preflight/ask.ts';
import { userIn } from '../../src/preflight/by.ts';
import { abandon, openRequest, say } from '../../src/preflight/conversation.ts';
import { defer, trigger } from '../../src/preflight/deferral.ts';
import { type Judged, judge } from '../../src/preflight/judge.ts';
import type { Proposed } from '../../src/preflight/proposed.ts';
import { answer } from '../../src/preflight/reply.ts';
import { revokeSetting } from '../../src/preflight/settings.ts';
import { openQuestions } from '../../src/preflight/standing-question.ts';
import { typedSince } from '../../src/preflight/typed-since.ts';
import { requestOf, standingOf } from '../../src/runs/standing.ts';
import { type Dice, diceOf } from '../laws/dice.ts';
import { proposalOf } from '../laws/world-proposal.ts';
import { segmentsOf } from '../laws/world-segments.ts';
import { live, typed } from '../preflight/live.ts';
import { type Effect, ENDS, toolsOf } from './effects.ts';
import { hooksOf } from './hooks-of.ts';
import { inTheWayOf } from './in-the-way.ts';
import { sceneryOf } from './scenery.ts';
import { slowLog } from './slow-log.ts';
import type { Act, Story } from './story.ts';
import { ANN, keepSome, reply, revokeSome, SETTINGS, serve } from './user.ts';

export const MAX_AGE = 10 * 60_000;

const START = Date.parse('2024-05-20T09:00:00.000Z');
interface OpenedRequest {
  readonly id: string;
  readonly conversation: string;
}

/** What was proposed last for a call. */
interface OfCall {
  readonly request: OpenedRequest;
  proposed: Pick<Proposed, 'tool' | 'arguments'>;
  judged: Judged | null;
}

/** What may be changed of the code under a story, to see that the law finds it. */
export interface Changed {
  readonly world?: (world: Around['world']) => Around['world'];
  /** What always gets in the way just before something is executed. */
  readonly ambush?: 'a revocation' | 'an answer';
}

/** One log with all who work with it, and the world that they do something to. */
export class Stage {
  /** The log itself, without anybody's haste. */
  readonly log: SyncLog = openMemoryLog();
  readonly effects: Effect[] = [];
  readonly executions: Execution[] = [];
  /** Calls that the second executor's policy refused. */
  readonly unwanted = new Set<string>();
  /** Codes with which something was refused. */
  readonly refusals = new Map<string, number>();
  private readonly around: Around;
  private readonly ambush: Changed['ambush'];
  private readonly scenery: ReturnType<typeof sceneryOf>;
  private readonly executors: readonly Executor[];
  private readonly requests: OpenedRequest[] = [];
  private readonly calls = new Map<string, OfCall>();
  private readonly conversations: readonly string[];
  private readonly newId: () => string;
  private tool: number;
  private time = START;
  private touches = 0;
  private touchesExecuting = 0;
  /** How many executions are under way, and how long the second executor thought about its own. */
  private deciding = 0;
  private behind = 0;
  private busy = false;
  private readonly sneaks: Story['sneaks'][number][];

  constructor(story: Story, changed: Changed = {}) {
    this.scenery = sceneryOf(story.world, story.promising);
    this.tool = 0;
    this.ambush = changed.ambush;
    this.sneaks = [...story.sneaks];
    let ids = 0;
    this.newId = () => `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`;
    const clock = (later = 0): string => {
      this.time += 7;
      return new Date(this.time + later).toISOString();
    };
    const log = slowLog(this.log, story.turns, () => this.touched());
    const hooks = hooksOf(this.scenery.world.hostility, story.world[0] ?? 0);
    const around = live({
      log,
      world: changed.world?.(hooks) ?? hooks,
      checklists: [],
      clock: () => clock(),
      newId: this.newId,
    });
    const { ruleset } = this.scenery.world.run;
    this.around = {
      ...around,
      declared: { ...around.declared, ruleset, checklists: this.scenery.checklists[0] },
    };
    this.conversations = [this.newId(), this.newId()];
    const ends = diceOf(story.world.map((number) => number * 7));
    const endOf = () => (ends.below(5) < 2 ? ends.pick(ENDS) : 'succeeds');
    this.executors = ['first', 'second', 'third'].map((name) =>
      createExecutor({
        log,
        name,
        maxAge: MAX_AGE,
        timeout: 1,
        clock: name === 'second' ? () => clock(this.behind) : () => clock(),
        newId: this.newId,
        call: toolsOf(this.log, this.effects, name, endOf),
        ...(name === 'second' ? { accepts: ({ call, run }) => this.accepts(call, run) } : {}),
      }),
    );
  }

  /** Does one thing; that it is refused is an answer like any other. */
  async perform(act: Act): Promise<void> {
    const dice = diceOf(act.choices);
    try {
      await this.deed(act.deed, dice);
    } catch (error) {
      if (!isGroundsError(error) || FAULTS.test(error.code)) throw error;
      this.refusals.set(error.code, (this.refusals.get(error.code) ?? 0) + 1);
    }
  }

  private async deed(deed: Act['deed'], dice: Dice): Promise<unknown> {
    if (this.requests.length === 0 && deed !== 'redeclare') return this.open(dice);
    const call = this.aCall(dice);
    switch (deed) {
      case 'onward':
        for (let left = dice.below(4); left >= 0; left--)
          await this.onward(this.aCall(dice) ?? (await this.propose(dice)), dice);
        return;
      case 'open':
        return this.open(dice);
      case 'say':
        return say(this.around, dice.pick(this.conversations as [string, ...string[]]), [aSegment(dice)]);
      case 'judge':
        return call === null || dice.rarely(4) ? this.propose(dice) : this.judgeAgain(call, dice);
      case 'judge elsewhere':
        return call === null ? undefined : this.judgeElsewhere(call, dice);
      case 'ask':
        return this.ask(call);
      case 'reply':
        return reply(this.around, this.scenery.proposed, this.newId(), dice);
      case 'revoke':
        return revokeSome(this.around, this.calls.keys(), call, dice);
      case 'keep':
        return keepSome(this.around, this.calls.keys(), dice);
      case 'revoke setting':
        return revokeSetting(this.around, { user: 'ann', name: dice.pick(SETTINGS)[0], by: ANN });
      case 'redeclare':
        return this.redeclare(dice);
      case 'defer': {
        const judged = call === null ? null : this.ofCall(call).judged;
        return judged === null ? undefined : defer(this.around, judged);
      }
      case 'trigger':
        return call === null ? undefined : this.trigger(call, dice);
      case 'execute':
        return call === null ? undefined : this.execute(call, dice);
      case 'reconcile':
        return this.reconcile(dice);
      case 'abandon':
        return abandon(this.around, this.aRequest(dice).id, dice.pick(['said_so', 'new_request']));
      case 'wait':
        this.time += dice.below(900) * 1_000;
        return;
    }
  }

  private async open(dice: Dice): Promise<void> {
    const conversation = dice.pick(this.conversations as [string, ...string[]]);
    const id = await openRequest(this.around, { conversation });
    this.requests.push({ id, conversation });
    const { beginnings } = this.scenery;
    await say(this.around, conversation, dice.rarely(3) ? dice.pick(beginnings) : beginnings[0]);
  }

  /** A new call of the newest request. */
  private async propose(dice: Dice): Promise<string> {
    const call = this.newId();
    const request = this.aRequest(dice);
    const { tools, other, proposed } = this.scenery;
    const tool = dice.rarely(12) ? other : (tools[this.tool] as ToolDeclaration);
    this.calls.set(call, { request, proposed: { tool, arguments: proposed }, judged: null });
    await this.judgeFor(call, request, dice);
    return call;
  }

  private async judgeAgain(call: string, dice: Dice): Promise<void> {
    const of = this.ofCall(call);
    const { tools, other, proposed } = this.scenery;
    if (dice.rarely(3)) {
      const plain = proposalOf(dice)?.prepared;
      const next = dice.rarely(3)
        ? proposed
        : plain != null && 'plain' in plain
          ? plain.plain
          : dice.rarely(2)
            ? null
            : '{"from":"A1",  "amount": 100.0}';
      of.proposed = { ...of.proposed, arguments: next };
    }
    if (dice.rarely(6)) of.proposed = { ...of.proposed, tool: dice.pick([...tools, other] as never) };
    await this.judgeFor(call, of.request, dice);
  }

  private async judgeFor(call: string, { id, conversation }: OpenedRequest, dice: Dice): Promise<void> {
    const of = this.ofCall(call);
    const { now } = this.scenery.world.run;
    of.judged = await judge(this.around, {
      conversation,
      request: id,
      call,
      ...of.proposed,
      now,
      ...(dice.rarely(9) ? {} : { user: 'ann' }),
      ...(dice.rarely(3) ? { settings: this.brought() } : {}),
      ...(dice.rarely(9) ? { segments: [aSegment(dice)] } : {}),
      ...(dice.rarely(14) ? { phase: 'at_instruction' as const } : {}),
    });
  }

  /** Settings that the caller brings: what is proposed, under the names that its slots take. */
  private brought(): Record<string, Json> {
    return Object.fromEntries(
      SETTINGS.flatMap(([name, slot]) => {
        const value = valueAt(this.scenery.proposed, slot);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  }

  /** What was asked and approved for one request is taken to another, and on from there. */
  private async judgeElsewhere(call: string, dice: Dice): Promise<void> {
    if (dice.rarely(2) || this.requests.length < 2) await this.open(dice);
    await this.judgeFor(call, this.requests.at(-1) as OpenedRequest, dice);
    await this.execute(call, dice);
  }

  /** The next step that serves this call. */
  private async onward(call: string, dice: Dice): Promise<unknown> {
    const of = this.ofCall(call);
    const standing = standingOf(this.around.log, call);
    const run = standing?.run;
    if (standing == null || run?.verdict == null || of.judged === null)
      return this.judgeFor(call, of.request, dice);
    const { kind, phase } = run.verdict.verdict;
    const { log } = this.around;
    const request = requestOf(log, of.request.id);
    if (request?.abandoned != null) {
      await this.open(dice);
      return this.propose(dice);
    }
    const started = standing.starts.some(({ data }) => data.run === run.id);
    if (started) return dice.rarely(4) ? this.judgeFor(call, of.request, dice) : this.propose(dice);
    const typed = typedSince(log, of.request.conversation, run.verdict.position);
    if (standing.deferred !== null && !dice.rarely(5)) return this.trigger(call, dice);
    if ((typed || standing.heard > run.position) && !dice.rarely(6))
      return this.judgeFor(call, of.request, dice);
    if (kind === 'executable' && phase === 'at_trigger') return this.execute(call, dice);
    if (kind === 'schedulable') return defer(this.around, of.judged);
    if (kind === 'intent_undetermined' || kind === 'tool_undetermined') {
      if ((request?.asked.intent ?? 0) + (request?.asked.tool ?? 0) > 1 || dice.rarely(4)) {
        await this.open(dice);
        return this.propose(dice);
      }
      const meant = request?.questions.at(-1);
      if (meant === undefined || meant.closed || meant.position < run.position) return this.ask(call);
      const text = dice.pick([
        'send it now',
        'send 100 from A1 to B2 now',
        'send',
        'send it later, on 2024-05-20',
      ]);
      return answer(this.around, { question: meant.id, by: ANN, answers: [{ slot: 'intent', text }] });
    }
    const open = openQuestions(standing);
    const question = open[dice.below(open.length)];
    if (question !== undefined && !dice.rarely(6))
      return serve(this.around, this.scenery.proposed, standing, question);
    if (kind === 'unknown' && !dice.rarely(3)) return this.ask(call);
    return dice.rarely(3) ? this.propose(dice) : this.judgeAgain(call, dice);
  }

  private async ask(call: string | null): Promise<unknown> {
    const judged = call === null ? null : this.ofCall(call).judged;
    return judged === null ? undefined : ask(this.around, judged);
  }

  /** What is declared changes for all who judge from now on, or only in the log: then they find out. */
  private async redeclare(dice: Dice): Promise<void> {
    if (!dice.rarely(3)) this.tool = dice.below(this.scenery.tools.length);
    if (dice.rarely(3)) {
      const { declared } = this.around as { declared: { checklists: unknown } };
      const index = dice.below(this.scenery.checklists.length);
      declared.checklists = this.scenery.checklists[index];
    }
    if (dice.rarely(2)) this.declareInLog(dice);
  }

  private declareInLog(dice: Dice): void {
    const tool = this.scenery.tools[dice.below(this.scenery.tools.length)] as ToolDeclaration;
    const checklist = this.scenery.checklists[dice.below(2)]?.[0];
    const at = new Date(this.time).toISOString();
    if (dice.rarely(2) || checklist === undefined) {
      const event = makeEvent('ToolDeclared', { digest: digestOf(tool), tool }, { id: this.newId(), at });
      this.put(streamOf.tool(tool.server, tool.name), event);
      return;
    }
    const { body, digest } = checklist;
    const { declared_by, written_by = null } = body;
    const declared = { digest, declared_by, written_by, place: null, body: body as never };
    const event = makeEvent('ChecklistDeclared', declared, { id: this.newId(), at });
    this.put(streamOf.checklist(declared_by, body.checklist), event);
  }

  private async trigger(call: string, dice: Dice): Promise<void> {
    const { now } = this.scenery.world.run;
    const judged = await trigger(this.around, {
      call,
      by: 'clock',
      now,
      user: 'ann',
      ...(dice.rarely(3) ? { tool: this.scenery.tools[this.tool] as ToolDeclaration } : {}),
    });
    this.ofCall(call).judged = judged;
  }

  private async execute(call: string, dice: Dice): Promise<void> {
    if (this.ambush !== undefined) this.getInTheWayOf(call, diceOf([this.ambush === 'a revocation' ? 6 : 8]));
    else if (dice.rarely(3)) this.getInTheWayOf(call, dice);
    const runs = standingOf(this.around.log, call)?.runs ?? [];
    const run = dice.rarely(5) ? runs[dice.below(runs.length + 1)] : undefined;
    const count = dice.pick([1, 1, 2, 3]);
    const first = dice.below(3);
    const asked = Array.from({ length: count }, (_, index) =>
      (this.executors[(first + index) % 3] as Executor).execute(run === undefined ? { call } : { run, call }),
    );
    this.deciding += count;
    const all = await Promise.allSettled(asked);
    this.deciding -= count;
    this.behind = 0;
    for (const each of all) {
      if (each.status === 'rejected') throw each.reason;
      this.executions.push(each.value);
    }
  }

  private async reconcile(dice: Dice): Promise<unknown> {
    const executor = this.executors[0] as Executor;
    const starts = [...executor.unfinished()];
    const found = starts[dice.below(starts.length + 1)];
    const outcome = dice.pick(['failed', 'succeeded'] as const);
    const result = { tool: 'get_status', arguments: { id: 'A1' }, result: 'Account A1 is open.' };
    const responder = { user: userIn(this.log, 'ann'), known_by: 'form' as const, said: null };
    const start = found?.start ?? this.newId();
    return dice.rarely(2)
      ? executor.reconcile({ start, outcome, by: 'measured', responder: null, result })
      : executor.reconcile({ start, outcome, by: 'reported', responder });
  }

  /** The second executor makes no call in every third run, and takes its time to say so. */
  private async accepts(call: string, run: string): Promise<boolean> {
    await Promise.resolve();
    const turn = Number(run.slice(-3));
    // Nobody else stands still meanwhile: it is later for this one alone.
    if (turn % 7 === 0 && this.deciding === 1) this.behind = 15 * 60_000;
    if (turn % 3 !== 0) return true;
    this.unwanted.add(`${call} ${run}`);
    return false;
  }

  /** Somebody else's process, between two reads of one of ours. */
  private touched(): void {
    if (this.busy) return;
    this.touches++;
    if (this.deciding > 0) this.touchesExecuting++;
    const index = this.sneaks.findIndex(({ after, executing }) =>
      executing ? this.deciding > 0 && after <= this.touchesExecuting : after <= this.touches,
    );
    const [sneak] = index < 0 ? [] : this.sneaks.splice(index, 1);
    if (sneak === undefined) return;
    this.busy = true;
    this.sneak(diceOf([sneak.choice, Math.floor(sneak.choice / 4), sneak.choice, sneak.choice]));
    this.busy = false;
  }

  private sneak(dice: Dice): void {
    const calls = [...this.calls.keys()];
    const call = calls[calls.length - 1 - dice.pick([0, 0, 0, 1])];
    if (call !== undefined) this.getInTheWayOf(call, dice);
  }

  /** Something of another process, after which this call may not be what it was. */
  private getInTheWayOf(call: string, dice: Dice): void {
    const standing = standingOf(this.log, call);
    const what = inTheWayOf(call, standing, this.ofCall(call).request, dice, userIn(this.log, 'ann'));
    if (what === 'a declaration') this.declareInLog(dice);
    // Nobody stands still in the middle of a decision.
    else if (what === 'a long time') this.time += this.deciding === 0 ? MAX_AGE + 60_000 : 0;
    else if (what !== null) {
      const at = new Date(this.time).toISOString();
      this.put(what.stream, what.event({ id: this.newId(), at }));
    }
  }

  private put(stream: string, event: ReturnType<typeof makeEvent>): void {
    this.log.appendSync([{ writes: [{ stream, expected: 'any', events: [event] }] }]);
  }

  private ofCall(call: string): OfCall {
    return this.calls.get(call) as OfCall;
  }

  /** Mostly the newest. */
  private aCall(dice: Dice): string | null {
    const calls = [...this.calls.keys()];
    return calls[calls.length - 1 - dice.pick([0, 0, 0, 0, 0, 1, 2])] ?? null;
  }

  private aRequest(dice: Dice): OpenedRequest {
    const back = dice.pick([0, 0, 0, 0, 1]);
    return (this.requests[this.requests.length - 1 - back] ?? this.requests.at(-1)) as OpenedRequest;
  }
}

/** What no story may come to: the log is whole, all that was judged is in it, and each end of a call can be recorded. */
const FAULTS = /^executor\/(damaged|input-missing|outcome-not-recorded|options)$|^gate\/|^events\//;

function aSegment(dice: Dice): Segment {
  if (dice.rarely(2)) {
    const segments = segmentsOf(dice);
    return segments[segments.length - 1] as Segment;
  }
  return typed(
    dice.pick(['Send 100 from A1 to B2 now.', 'send it now', 'Thank you.', 'no', 'with the note gift']),
  );
}
