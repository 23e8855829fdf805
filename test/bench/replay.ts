import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { currentGate, type Gates, replayLog } from '../../replay/index.ts';
import { encode } from '../../src/events/canonical.ts';
import type { Envelope } from '../../src/events/envelope.ts';
import { parseEvent } from '../../src/events/index.ts';
import type { SyncLog } from '../../src/log/index.ts';
import { type Commit, checkRow, leafHash, openMemoryLog, openSqliteLogSync } from '../../src/log/index.ts';
import { bank } from '../checklists.ts';
import { record } from '../replay/recorded.ts';
import { median } from './median.ts';

export interface ReplayBench {
  readonly runs: number;
  readonly events: number;
  readonly bytes: number;
  /** Runs a CPU-second, all rows checked and all lookups asked again. Floor 1,000. */
  readonly runsPerSecond: number;
  /** CPU of a loop that reads, hashes and parses the same rows, over the replay's. Floor 0.25. */
  readonly ratio: number;
  /**
   * CPU milliseconds a run. `rows` is a whole replay that lacks the gate, so that every row is read and checked by itself; `loop`,
   * `check` and `shape` are each alone, with their own reading.
   */
  readonly parts: Readonly<Record<'replay' | 'loop' | 'check' | 'shape' | 'rows', number>>;
  /** Greatest live heap while replaying 10,000 and 200,000 events, in MiB above that before. */
  readonly heap: readonly { readonly events: number; readonly mib: number }[];
}

const ROUNDS = 3;

/** Replays a log of one conversation shape, many times over under other ids. */
export async function benchReplay(print: (line: string) => void = console.log): Promise<ReplayBench> {
  const dir = mkdtempSync(join(process.env.GROUNDS_BENCH_DIR ?? tmpdir(), 'grounds-bench-'));
  try {
    const transcript = join(process.cwd(), 'fixtures/transcripts/bank.jsonl');
    const heap = [];
    let measured: Omit<ReplayBench, 'heap'> | null = null;
    for (const events of [10_000, 200_000]) {
      const log = grown(join(dir, `${events}.db`), transcript, events);
      heap.push({ events: log.sizeSync(), mib: peak(log) });
      // A long log: what the engine still compiles in the first seconds is no part of what a run costs.
      measured = speed(log);
      await log.close();
    }
    const result: ReplayBench = { ...(measured as Omit<ReplayBench, 'heap'>), heap };
    print(shown(result));
    return result;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function speed(log: SyncLog): Omit<ReplayBench, 'heap'> {
  let bytes = 0;
  const loop = (): void => {
    bytes = 0;
    for (const page of log.readSync({})) {
      for (const row of page) {
        bytes += row.event === null || !leafHash(row.bytes).equals(row.leaf) ? 0 : row.bytes.length;
      }
    }
  };
  let runs = 0;
  const replay = (gates: Gates): void => {
    const findings = replayLog(log, { gates });
    let next = findings.next();
    while (next.done !== true) next = findings.next();
    runs = next.value.matched + next.value.gate_not_shipped;
    if (next.value.diverged + next.value.tampered + next.value.missing_input > 0)
      throw new Error('The log does not match: nothing was measured.');
  };
  const check = (): void => {
    for (const page of log.readSync({})) for (const row of page) checkRow(row);
  };
  const shape = (): void => {
    for (const page of log.readSync({})) for (const row of page) parseEvent(row.event);
  };
  replay(currentGate);
  loop();
  const times: Record<'loop' | 'replay' | 'check' | 'shape' | 'rows', number[]> = {
    loop: [],
    replay: [],
    check: [],
    shape: [],
    rows: [],
  };
  for (let round = 0; round < ROUNDS; round++) {
    times.loop.push(cpu(loop));
    times.replay.push(cpu(() => replay(currentGate)));
    times.check.push(cpu(check));
    times.shape.push(cpu(shape));
    times.rows.push(cpu(() => replay(() => null)));
  }
  const per = (name: keyof typeof times): number => median(times[name]) / runs;
  return {
    runs,
    events: log.sizeSync(),
    bytes,
    runsPerSecond: 1000 / per('replay'),
    ratio: median(times.loop.map((time, round) => time / (times.replay[round] ?? Number.NaN))),
    parts: {
      loop: per('loop'),
      check: per('check'),
      shape: per('shape'),
      rows: per('rows'),
      replay: per('replay'),
    },
  };
}

/** The live heap at its greatest, measured after a collection every few pages. */
function peak(log: SyncLog): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const live = (): number => {
    collect();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  const before = live();
  let greatest = 0;
  let pages = 0;
  const every = Math.ceil(log.sizeSync() / 512 / 20);
  const findings = replayLog(log, {
    progress: () => {
      if (pages++ % every === 0) greatest = Math.max(greatest, live() - before);
    },
  });
  while (findings.next().done !== true);
  return greatest;
}

/** A verdict holds no ids, so a conversation under other ids replays as it did under its own. */
export function grown(file: string, transcript: string, events: number): SyncLog {
  const origin = openMemoryLog();
  record(origin, [transcript], bank());
  const shape = [...origin.readSync({})].flat().map(({ event }) => event);
  const shared = shape.filter(({ type }) => type.endsWith('Declared'));
  const told = encode(shape.filter(({ type }) => !type.endsWith('Declared')));
  const log = openSqliteLogSync({ file, create: true });
  log.appendSync([commitOf(shared)]);
  for (let copy = 0; log.sizeSync() < events; copy++) {
    const renamed = told.replaceAll(
      /"((?:(?:call|conversation)\/)?)[0-9a-f]{8}(-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-)([0-9a-f]{12})"/g,
      (_, stream: string, middle: string, end: string) =>
        `"${stream}${copy.toString(16).padStart(8, '0')}${middle}${end}"`,
    );
    log.appendSync([commitOf(JSON.parse(renamed) as Envelope[])]);
  }
  return log;
}

/** As one commit, in the order they are in: a write for each stretch of one stream. */
function commitOf(events: readonly Envelope[]): Commit {
  const writes: { stream: string; expected: 'any'; events: Envelope[] }[] = [];
  for (const event of events) {
    const last = writes.at(-1);
    if (last?.stream === event.stream) last.events.push(event);
    else writes.push({ stream: event.stream, expected: 'any', events: [event] });
  }
  return { writes };
}

function cpu(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function shown({ runs, events, bytes, runsPerSecond, ratio, parts, heap }: ReplayBench): string {
  const ms = (name: keyof ReplayBench['parts']): string => `${name} ${parts[name].toFixed(3)}`;
  return [
    `replay: ${runs} runs, ${events} events, ${(bytes / runs / 1000).toFixed(1)} kB a run`,
    `  ${Math.round(runsPerSecond)} runs a CPU-second (floor 1000) ${runsPerSecond >= 1000 ? 'holds' : 'MISSED'}`,
    `  ${ratio.toFixed(2)} of a loop that reads, hashes and parses (floor 0.25) ${ratio >= 0.25 ? 'holds' : 'MISSED'}`,
    `  ms a run: ${ms('replay')}; ${ms('loop')}, ${ms('check')}, ${ms('shape')}, ${ms('rows')}`,
    `  live heap: ${heap.map((at) => `${at.mib.toFixed(1)} MiB at ${at.events} events`).join(', ')}`,
  ].join('\n');
}
