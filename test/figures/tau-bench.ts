import { readFileSync } from 'node:fs';
import { auditCalls, toolTable } from '../../src/audit/runs.ts';
import type { Checklist } from '../../src/declarations/checklist.ts';
import { plainOf } from '../../src/events/content.ts';
import { digestOf } from '../../src/events/digest.ts';
import type { Json } from '../../src/events/json.ts';
import type { Verdict } from '../../src/events/verdict.ts';
import type { RunInput } from '../../src/gate/index.ts';
import { type Conversation, readTranscripts } from '../../src/transcripts/index.ts';
import { judgedBy } from './judged-by.ts';
import type { Label } from './labels.ts';
import { leavesOf, occurs, wordsIn } from './occurs.ts';

/** One write of a benchmark run, with what the gate found and what others say of it. */
export interface Write {
  /** 1-based line of the file, 0-based message of the conversation. */
  readonly line: number;
  readonly message: number;
  readonly tool: string;
  readonly args: Json;
  /** What the gate was given: to judge another proposal in the same state of the conversation. */
  readonly run: RunInput;
  readonly verdict: Verdict;
  /** Equals one of the run's expected actions exactly (without withdrawn ones). */
  readonly right: boolean;
  /** The tool answered it with `Error: ...`. */
  readonly rejected: boolean;
  /** Each leaf stands somewhere in what came before, as a token: the control. */
  readonly occurs: boolean;
  /** An explicit yes in the typed message right before: reported, not required. */
  readonly confirmed: boolean;
  /** What an independent reader said of it, where one did. */
  readonly label: Label | null;
}

export interface Action {
  readonly name: string;
  readonly kwargs: Json;
}

/** One benchmark run: its conversation, and the digests of the writes that the benchmark expects. */
export interface BenchmarkRun {
  readonly conversation: Conversation;
  readonly expected: ReadonlySet<string>;
}

const actionDigest = ({ name, kwargs }: Action): string => digestOf({ kwargs, name });

/** Reads a file of runs, one a line. `withdrawn`: expected actions that a later edition of the benchmark took back. */
export function readRuns(file: string, withdrawn: readonly Action[]): BenchmarkRun[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const gone = new Set(withdrawn.map(actionDigest));
  return [...readTranscripts(file)].map((conversation) => {
    const run = JSON.parse(lines[conversation.origin.line - 1] as string) as {
      info: { task: { actions: Action[] } };
    };
    const expected = run.info.task.actions.map(actionDigest).filter((digest) => !gone.has(digest));
    return { conversation, expected: new Set(expected) };
  });
}

/** Every write of the runs, judged in an audit under one checklist. */
export function writesOf(
  runs: readonly BenchmarkRun[],
  checklist: Checklist,
  labels: readonly Label[],
): Write[] {
  const declared = judgedBy(checklist);
  const tools = toolTable(declared);
  const labelAt = new Map(labels.map((label) => [`${label.line}:${label.message}`, label]));
  return runs.flatMap(({ conversation, expected }) => {
    const { line } = conversation.origin;
    const writes: Write[] = [];
    for (const { call, run, driven } of auditCalls(conversation, declared, tools)) {
      if (driven === null) continue;
      const args = call.arguments.value ?? {};
      const result = call.result === null ? undefined : conversation.segments[call.result]?.segment;
      const body = result === undefined ? null : plainOf(result.body);
      const before = textBefore(run);
      writes.push({
        line,
        message: call.message,
        tool: call.tool,
        args,
        run,
        verdict: driven.verdict,
        right: expected.has(actionDigest({ name: call.tool, kwargs: args })),
        rejected: typeof body === 'string' && body.startsWith('Error'),
        occurs: leavesOf(args).every(({ value }) => occurs(before, value)),
        confirmed: saysYes(run),
        label: labelAt.get(`${line}:${call.message}`) ?? null,
      });
    }
    return writes;
  });
}

/** Everything that stood in the conversation before a call, whoever said it. */
export function textBefore(run: RunInput): string {
  return run.segments.map(({ body }) => wordsIn(plainOf(body))).join('\n');
}

function saysYes(run: RunInput): boolean {
  const last = run.segments.findLast(({ author }) => author !== 'tool');
  if (last?.typed !== true) return false;
  const text = plainOf(last.body);
  return typeof text === 'string' && /^\W*(yes|yeah|sure|please proceed|go ahead)\b/i.test(text);
}
