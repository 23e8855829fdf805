import pkg from '../../../package.json' with { type: 'json' };
import { createExecutor, type Execution, type Refusal, saysOf } from '../../executor/index.ts';
import { keyStore, keysFolder } from '../../keys/index.ts';
import type { SyncLog } from '../../log/index.ts';
import { standingOf } from '../../runs/standing.ts';
import { findCall } from '../find-call.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { caughtUp, reading } from '../open-log.ts';
import { printedCommand } from '../printed-command.ts';
import { usage } from '../report-error.ts';
import { programCall } from '../run-program.ts';
import { columns, oneLine, printable, wrapped } from '../text.ts';
import { isLog, whichLog } from '../which-log.ts';

export interface ExecuteOptions {
  readonly json?: boolean;
  readonly db?: string;
  readonly keys?: string;
  readonly key?: string;
  readonly name?: string;
  /** Seconds. */
  readonly maxAge?: number;
  readonly timeout?: number;
}

/**
 * Executes a recorded verdict: runs a program as the tool, where the executor finds nothing against it.
 * @returns 0 where the call succeeded; else 1: refused, failed, or nobody knows
 */
export async function execute(
  io: Io,
  ref: string,
  command: readonly string[],
  options: ExecuteOptions,
): Promise<0 | 1> {
  if (command.length === 0) throw usage('No command is given to make the call.', 'Give it after --.');
  const [program = ''] = command;
  if (isLog(program)) {
    throw usage(
      `${program} is a log, and would be run as the tool.`,
      `Of execute the log is no argument: give it as --db ${program}.`,
    );
  }
  const file = whichLog(undefined, options.db);
  const key = options.key === undefined ? undefined : keyStore(keysFolder(options.keys)).signer(options.key);
  return reading(file, async (log) => {
    const { row } = findCall(caughtUp(io, log), ref, log);
    const executor = createExecutor({
      log,
      name: options.name ?? `grounds/${pkg.version}`,
      call: programCall(command, io.err),
      ...(key === undefined ? {} : { key }),
      ...(options.maxAge === undefined ? {} : { maxAge: options.maxAge * 1000 }),
      ...(options.timeout === undefined ? {} : { timeout: options.timeout * 1000 }),
    });
    const execution = await executor.execute({ call: row.call_id, ...runMeant(log, row.call_id, ref) });
    if (options.json === true) io.out(`${jsonText(executionLine(row.tool, execution))}\n`);
    else io.out(text(row.tool, execution, file, io.width));
    return execution.decision === 'execute' && execution.outcome === 'succeeded' ? 0 : 1;
  });
}

/** A reference that names a run means that run, be it the newest or not; one that names the call means its newest. */
function runMeant(log: SyncLog, call: string, ref: string): { run?: string } {
  const typed = ref
    .trim()
    .toLowerCase()
    .replace(/(…|\.\.\.)$/, '')
    .replace(/^(call|run)[_/]/, '');
  // Shorter it is no beginning of an id, but the name that the caller of check gave the call.
  if (typed.length < 4 || call.startsWith(typed)) return {};
  const run = standingOf(log, call)?.runs.findLast((each) => each.startsWith(typed));
  return run === undefined ? {} : { run };
}

/** A line of `execute --json`. What the program printed stands in the log, at `result`. */
export interface ExecutionLine {
  readonly decision: 'execute' | 'refuse';
  readonly call_id: string;
  readonly run_id: string;
  readonly tool: string;
  readonly verdict: string | null;
  readonly decided: string;
  readonly refused: readonly Refusal[];
  readonly recorded: boolean;
  readonly start: string | null;
  readonly idempotency_key: string | null;
  readonly arguments: unknown;
  readonly outcome: 'succeeded' | 'failed' | 'unknown' | 'not_executed';
  readonly code: string | null;
  readonly result: { readonly conversation: string; readonly segment: number } | null;
}

function executionLine(tool: string, execution: Execution): ExecutionLine {
  const { decision, call, run, verdict, decided } = execution;
  const common = { decision, call_id: call, run_id: run, tool, verdict, decided };
  if (execution.decision === 'refuse') {
    return {
      ...common,
      refused: execution.refused,
      recorded: execution.recorded,
      start: null,
      idempotency_key: null,
      arguments: null,
      outcome: 'not_executed',
      code: null,
      result: null,
    };
  }
  const { start, idempotency_key, outcome, code, result } = execution;
  return {
    ...common,
    refused: [],
    recorded: true,
    start,
    idempotency_key,
    arguments: execution.arguments,
    outcome,
    code,
    result,
  };
}

function text(tool: string, execution: Execution, file: string, width: number): string {
  const call = execution.call.slice(0, 8);
  const name = oneLine(tool, 64);
  if (execution.decision === 'refuse') {
    const reasons = columns(execution.refused.map((reason) => [reason, saysOf(reason)]));
    const kept = execution.recorded ? 'recorded in' : 'was recorded before in';
    return [
      `${name}  REFUSED  ${call}`,
      ...reasons.map((line) => `  ${line}`),
      `  ${kept} ${printable(file)}; nothing was called`,
      '',
    ].join('\n');
  }
  const { outcome, code, start } = execution;
  const how = outcome === 'unknown' ? 'OUTCOME UNKNOWN' : `EXECUTED, ${outcome.toUpperCase()}`;
  const lines = [
    `${name}  ${how}${code === null ? '' : ` (${code})`}  ${call}`,
    `  sent     ${oneLine(JSON.stringify(execution.arguments), Math.max(width - 11, 40))}`,
    ...(execution.answer === undefined ? [] : [`  result   ${answerText(execution.answer, width)}`]),
    `  start    ${start}, recorded in ${printable(file)}`,
  ];
  if (outcome === 'unknown') {
    const next = `Nobody knows whether it had its effect, and it is not sent again. Look, then settle it: ${printedCommand(['reconcile', '--start', start, '--outcome', 'succeeded'], file)} --user <who> (or --outcome failed).`;
    lines.push(wrapped(next, width, '  '));
  }
  return `${lines.join('\n')}\n`;
}

function answerText(answer: unknown, width: number): string {
  const shown =
    typeof answer === 'string' ? answer : Buffer.isBuffer(answer) ? 'no text' : JSON.stringify(answer);
  return oneLine(shown ?? '', Math.max(width - 11, 40));
}
