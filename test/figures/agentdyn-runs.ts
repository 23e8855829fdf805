import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditCalls, toolTable } from '../../src/audit/runs.ts';
import type { Checklist } from '../../src/declarations/checklist.ts';
import { plainOf } from '../../src/events/content.ts';
import { isObject, type Json } from '../../src/events/json.ts';
import type { Verdict } from '../../src/events/verdict.ts';
import type { RunInput } from '../../src/gate/index.ts';
import { type Conversation, readTranscripts } from '../../src/transcripts/index.ts';
import { judgedBy } from './judged-by.ts';
import { holdsToken, leavesOf, occurs } from './occurs.ts';
import { textBefore } from './tau-bench.ts';

export const SUITES = ['shopping', 'github', 'dailylife'] as const;
export type Suite = (typeof SUITES)[number];

/**
 * Whose wish a write was: the attacker's in a run where the attack succeeded; the same goal typed; a benign task's. Planted:
 * what the typed goal led to, proposed at the end of each benign run of its suite, where nobody typed it.
 */
export type Kind = 'attack' | 'planted' | 'twin' | 'benign';

/** One write, with what the gate found. */
export interface DynWrite {
  readonly model: string;
  readonly suite: Suite;
  readonly kind: Kind;
  /** The benchmark's names of the user's task and of the attacker's goal. */
  readonly task: string;
  readonly goal: string | null;
  /** 0-based message of the run. */
  readonly message: number;
  readonly tool: string;
  readonly args: Json;
  readonly run: RunInput;
  /** null: the checklist calls the tool reversible, so that the gate does not stand before it. */
  readonly verdict: Verdict | null;
  /** Each leaf stands somewhere in what came before, as a token: the control. */
  readonly occurs: boolean;
}

/** One line of the benchmark's files. */
export interface DynRun {
  readonly model: string;
  readonly suite: Suite;
  readonly task: string;
  readonly goal: string | null;
  readonly injected: string;
  readonly conversation: Conversation;
}

const READS = [
  'get_',
  'search_',
  'list_',
  'read_',
  'browse_',
  'view_',
  'check_',
  'cart_total',
  'git_get_',
  'login_',
  'download_',
  'git_clone',
  'git_pull',
  'verify_',
];

/** By its name alone, whatever a checklist says. */
export function isWrite(tool: string): boolean {
  return tool === 'verify_transaction' || !READS.some((beginning) => tool.startsWith(beginning));
}

interface Wrapper {
  readonly suite_name: Suite;
  readonly user_task_id: string;
  readonly injection_task_id: string | null;
  readonly injections: Readonly<Record<string, string>>;
}

/** `<model>.benign-1.jsonl` and the like. */
const FILE = /^(?<model>.+)\.(?<what>benign|attack-succeeded)(?:-\d+)?\.jsonl$/;

export interface DynRuns {
  readonly benign: readonly DynRun[];
  readonly attacked: readonly DynRun[];
  readonly files: readonly string[];
}

/** Every model's runs in a folder: its benign ones (with the typed twins), and those in which the attack succeeded. */
export function readDynFolder(folder: string): DynRuns {
  const benign: DynRun[] = [];
  const attacked: DynRun[] = [];
  const files = readdirSync(folder)
    .filter((name) => FILE.test(name))
    .sort((a, b) => (a < b ? -1 : 1));
  for (const name of files) {
    const { model = '', what } = FILE.exec(name)?.groups ?? {};
    (what === 'benign' ? benign : attacked).push(...readDynRuns(join(folder, name), model));
  }
  return { benign, attacked, files };
}

function readDynRuns(file: string, model: string): DynRun[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return [...readTranscripts(file)].map((conversation) => {
    const run = JSON.parse(lines[conversation.origin.line - 1] as string) as Wrapper;
    return {
      model,
      suite: run.suite_name,
      task: run.user_task_id,
      goal: run.injection_task_id,
      injected: Object.values(run.injections ?? {}).join('\n'),
      conversation,
    };
  });
}

interface Call {
  readonly tool: string;
  readonly args: Json;
}

const isTwin = ({ task }: DynRun): boolean => task.startsWith('injection_task_');
const writesIn = ({ conversation }: DynRun): Call[] =>
  conversation.calls
    .filter(({ tool }) => isWrite(tool))
    .map(({ tool, arguments: { value } }) => ({ tool, args: value ?? {} }));

/** `true`, `1` and `a` stand in almost any text: they tell nothing. */
function isTelling(value: Json): boolean {
  return typeof value === 'string' ? value.length > 2 : typeof value === 'number' && String(value).length > 1;
}

/**
 * Whether a write of an attacked run is the attack's: the same tool as a write of the run where the same goal was typed,
 * and in one argument a telling value in common with it that stands in the injected text.
 */
export function isAttackCall(call: Call, twin: readonly Call[], injected: string): boolean {
  const leaves = leavesOf(call.args).filter(
    ({ value }) => isTelling(value) && holdsToken(injected, String(value)),
  );
  return twin.some(
    (other) =>
      other.tool === call.tool &&
      leavesOf(other.args).some((leaf) =>
        leaves.some(
          ({ pointer, value }) => argumentOf(pointer) === argumentOf(leaf.pointer) && value === leaf.value,
        ),
      ),
  );
}

function argumentOf(pointer: string): string | undefined {
  return pointer.split('/')[1];
}

/** The writes that a figure is about, judged under one reading of the suites' checklists. */
export function dynWrites(
  { benign, attacked }: Pick<DynRuns, 'benign' | 'attacked'>,
  checklists: Readonly<Record<Suite, Checklist>>,
): DynWrite[] {
  const twins = new Map(
    benign.filter(isTwin).map((run) => [`${run.model} ${run.suite} ${run.task}`, writesIn(run)] as const),
  );
  const out: DynWrite[] = [];
  for (const suite of SUITES) {
    const judge = judgeOf(checklists[suite]);
    for (const run of benign.filter((each) => each.suite === suite))
      out.push(...judge(run, isTwin(run) ? 'twin' : 'benign'));
    const typed = benign.filter((each) => each.suite === suite && isTwin(each));
    for (const run of benign.filter((each) => each.suite === suite && !isTwin(each)))
      out.push(...typed.flatMap((twin) => judge(planted(run, twin), 'planted')));
    for (const run of attacked.filter((each) => each.suite === suite)) {
      const twin = twins.get(`${run.model} ${suite} ${run.goal}`) ?? [];
      out.push(...judge(run, 'attack').filter((write) => isAttackCall(write, twin, run.injected)));
    }
  }
  return out;
}

/** A benign run that ends in those writes of a typed goal that hold a telling value of it. */
function planted(run: DynRun, goal: DynRun): DynRun {
  const said = goal.conversation.segments
    .map(({ segment: { typed, body } }) => (typed ? plainOf(body) : ''))
    .filter((text) => typeof text === 'string')
    .join('\n');
  const before = run.conversation.segments.length;
  const calls = goal.conversation.calls.flatMap((call) => {
    const proposed = { tool: call.tool, args: call.arguments.value ?? {} };
    return isAttackCall(proposed, [proposed], said) ? [{ ...call, before }] : [];
  });
  return { ...run, goal: goal.task, conversation: { ...run.conversation, calls } };
}

function judgeOf(checklist: Checklist): (run: DynRun, kind: Kind) => DynWrite[] {
  const declared = judgedBy(checklist);
  const tools = toolTable(declared);
  return ({ model, suite, task, goal, conversation }, kind) => {
    const writes: DynWrite[] = [];
    for (const { call, run, driven } of auditCalls(conversation, declared, tools)) {
      if (!isWrite(call.tool)) continue;
      const args = call.arguments.value ?? {};
      const before = textBefore(run);
      writes.push({
        model,
        suite,
        kind,
        task,
        goal,
        message: call.message,
        tool: call.tool,
        args,
        run,
        verdict: driven?.verdict ?? null,
        occurs: !isObject(args) || leavesOf(args).every(({ value }) => occurs(before, value)),
      });
    }
    return writes;
  };
}
