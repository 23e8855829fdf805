import { readdirSync } from 'node:fs';
import { gatesNeeded, gatesOf } from '../../../replay/gates.ts';
import { exitOf, type ReplaySummary, type RunReplay } from '../../../replay/report.ts';
import { replayLog } from '../../../replay/verify.ts';
import type { SyncLog } from '../../log/index.ts';
import { environment } from '../../runs/environment.ts';
import { findCall } from '../find-call.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { caughtUp, reading } from '../open-log.ts';
import { FROZEN_GATES, packageFolder } from '../package-folder.ts';
import { onLog } from '../printed-command.ts';
import { progressOn } from '../progress.ts';
import { usage } from '../report-error.ts';
import { oneLine, plural, wrapped } from '../text.ts';
import { whichLog } from '../which-log.ts';

export interface ReplayCommandOptions {
  readonly json?: boolean;
  readonly db?: string;
  readonly only?: string;
  readonly all?: boolean;
  readonly gates?: readonly string[];
}

/**
 * Checks every row of the log and runs each run's gate again on what the log holds.
 * @returns 0 all equal · 1 diverged · 3 not all, or none, could be replayed · 4 tampered
 */
export async function replay(
  io: Io,
  last: string | undefined,
  options: ReplayCommandOptions,
): Promise<number> {
  requireFolders(options.gates ?? []);
  return reading(whichLog(last, options.db), async (log) => {
    const gates = await gatesOf([packageFolder(FROZEN_GATES), ...(options.gates ?? [])], gatesNeeded(log));
    const progress = progressOn(io);
    const runs = replayLog(log, {
      gates,
      environment: environment(),
      progress: (done, total) => progress.tell(`replaying: ${done} of ${total} events`),
      ...(options.only === undefined ? {} : { only: onlyOf(io, log, options.only) }),
      ...(options.all === true ? { all: true } : {}),
    });
    for (;;) {
      const next = runs.next();
      if (next.done !== true) {
        progress.clear();
        io.out(options.json === true ? `${jsonText(next.value)}\n` : findingText(next.value, log.file));
        continue;
      }
      progress.clear();
      const summary = next.value;
      io.out(
        options.json === true
          ? `${jsonText(summary)}\n`
          : summaryText(summary, options.only === undefined ? runsIn(log, summary) : summary.replayed, io),
      );
      return exitOf(summary);
    }
  });
}

/** A folder that is not there would be passed over, and its gates said not to be shipped. */
function requireFolders(folders: readonly string[]): void {
  for (const folder of folders) {
    try {
      readdirSync(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      const why =
        code === 'ENOENT' ? 'is not there' : code === 'ENOTDIR' ? 'is not a folder' : 'can not be read';
      throw usage(`${folder} ${why}.`, 'Name a folder that holds frozen gates after --gates.', {
        folder,
        errno: code,
      });
    }
  }
}

/** A run's id stands for itself, so that an earlier run of a call can be named; else what a person types for a call. */
function onlyOf(io: Io, log: Parameters<typeof caughtUp>[1], ref: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(ref)) {
    for (const page of log.readSync({ types: ['RunStarted'] })) {
      for (const { event } of page) if ((event.data as { run?: unknown }).run === ref) return ref;
    }
  }
  return findCall(caughtUp(io, log), ref, log).row.call_id;
}

function findingText(run: RunReplay, log: string): string {
  const of =
    run.call_id === null
      ? `row ${run.position}`
      : `call ${run.call_id.slice(0, 8)} run ${run.run_id?.slice(0, 8) ?? '–'}`;
  const code = run.code === null ? '' : ` (${run.code})`;
  const lines = [
    `${run.finding}${code}  ${of}  at ${run.at ?? run.position}${run.path === null ? '' : `  ${oneLine(run.path, 120)}`}`,
  ];
  if (run.finding !== 'MATCH') {
    if (run.recorded !== null) lines.push(`  recorded    ${valueText(run.recorded)}`);
    if (run.recomputed !== null) lines.push(`  recomputed  ${valueText(run.recomputed)}`);
    for (const [name, { recorded, present }] of Object.entries(run.environment)) {
      lines.push(`  beside it   ${name} was ${oneLine(recorded, 40)}, is ${oneLine(present, 40)}`);
    }
    lines.push(`  ${run.reproduce}${onLog(log)}`);
  }
  return `${lines.join('\n')}\n`;
}

function valueText(value: unknown): string {
  return oneLine(JSON.stringify(value) ?? 'undefined', 160);
}

/** How many runs there are. Where nothing is wrong, all of them were replayed. */
function runsIn(log: Pick<SyncLog, 'readSync'>, summary: ReplaySummary): number {
  const { replayed, tampered, missing_input, gate_not_shipped } = summary;
  if (tampered + missing_input + gate_not_shipped === 0) return replayed;
  let runs = 0;
  for (const page of log.readSync({ types: ['RunStarted'] })) runs += page.length;
  return Math.max(runs, replayed);
}

function summaryText(summary: ReplaySummary, runs: number, io: Io): string {
  const { replayed, matched, diverged, missing_input, tampered, gate_not_shipped, unanchored } = summary;
  const found = [
    `${matched} equal, byte for byte`,
    ...(diverged > 0 ? [`${diverged} diverged`] : []),
    ...(tampered > 0 ? [`${plural(tampered, 'finding')} of tampering`] : []),
    ...(missing_input > 0 ? [`${missing_input} without their input`] : []),
    ...(gate_not_shipped > 0 ? [`${gate_not_shipped} judged by a gate that this version does not ship`] : []),
  ];
  const lines = [
    replayed === 0 && found.length === 1
      ? 'Nothing was replayed: the log holds no run. That proves nothing.'
      : `${replayed < runs ? `${replayed} of ${plural(runs, 'run')}` : plural(replayed, 'run')} replayed: ${found.join(' · ')}`,
    wrapped(
      `Replay vouches for what the verdicts rest on: of a text, the words that lookups point to. It does not for ${plural(unanchored.events, 'event')} on which no recomputation rests (outcomes, and what no lookup points to), nor for the rest of a text, nor that nothing is missing (an outcome, a whole call, the newest events, wherever they stood): only the digest below, kept elsewhere, tells those.`,
      io.width,
    ),
    `log ${summary.log_digest}`,
    ...(tampered > 0
      ? [
          wrapped(
            'That digest is of the leaf hashes as they are stored now: it names these bytes, and does not vouch that they are what was written.',
            io.width,
          ),
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}
