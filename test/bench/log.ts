import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import type { Commit, NewEvent } from '../../src/log/index.ts';
import { openMemoryLog, openSqliteLogSync } from '../../src/log/index.ts';
import { setPragmas } from '../../src/log/pragmas.ts';
import type { Row } from '../../src/log/row.ts';
import { median } from './median.ts';

/** One comparison: what was measured against what, in events (or appends) a second, and the ratio that must hold. */
export interface BenchLine {
  readonly name: string;
  readonly ours: number;
  readonly base: number;
  /** ours / base by wall time: the median of the rounds' ratios. */
  readonly ratio: number;
  /** The same by CPU time (user and system), which no waiting for the disk blurs. */
  readonly cpuRatio: number;
  readonly floor: number;
  readonly holds: boolean;
}

interface Measured {
  readonly wall: number;
  readonly cpu: number;
}

const ROUNDS = 7;

/**
 * The log against its floor, on the disk of the temporary folder (or of GROUNDS_BENCH_DIR). Every pair is run in turn in
 * the same process, so that only ratios count, never the machine.
 */
export async function benchLog(print: (line: string) => void = console.log): Promise<readonly BenchLine[]> {
  const dir = mkdtempSync(join(process.env.GROUNDS_BENCH_DIR ?? tmpdir(), 'grounds-bench-'));
  let files = 0;
  const fresh = (): string => join(dir, `${files++}.db`);
  try {
    const bytes = rowsOf(commitOf(0, 1000))[0]?.bytes.length ?? 0;
    const lines = [
      await compare('1000 events a commit, FULL, against raw', 0.6, 20_000, [
        () => ours(fresh(), 20, 1000),
        () => raw(fresh(), 20, 1000),
      ]),
      await compare('one run (25 events) a commit, FULL, against raw', 0.7, 5_000, [
        () => ours(fresh(), 200, 25),
        () => raw(fresh(), 200, 25),
      ]),
      await compare('64 callers in a group, against one commit each', 5, 1_280, [
        () => grouped(fresh(), 20, 64),
        () => ours(fresh(), 1_280, 1),
      ]),
    ];
    print(table(lines, bytes));
    return lines;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

type Side = () => Measured | Promise<Measured>;

async function compare(
  name: string,
  floor: number,
  count: number,
  [mine, base]: readonly [Side, Side],
): Promise<BenchLine> {
  await mine();
  await base();
  const rounds: { mine: Measured; base: Measured }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // Who goes first alternates too: a disk that is still busy with the one must not count against the other.
    if (round % 2 === 0) rounds.push({ mine: await mine(), base: await base() });
    else {
      const second = await base();
      rounds.push({ mine: await mine(), base: second });
    }
  }
  const ratio = median(rounds.map((round) => round.base.wall / round.mine.wall));
  return {
    name,
    ours: count / median(rounds.map((round) => round.mine.wall)),
    base: count / median(rounds.map((round) => round.base.wall)),
    ratio,
    cpuRatio: median(rounds.map((round) => round.base.cpu / round.mine.cpu)),
    floor,
    holds: ratio >= floor,
  };
}

function ours(file: string, commits: number, events: number): Measured {
  const log = openSqliteLogSync({ file, create: true });
  const watch = stopwatch();
  for (let c = 0; c < commits; c++) {
    const commit = commitOf(c, events);
    watch.start();
    log.appendSync([commit]);
    watch.stop();
  }
  void log.close();
  return watch.measured();
}

async function grouped(file: string, groups: number, callers: number): Promise<Measured> {
  const log = openSqliteLogSync({ file, create: true });
  const watch = stopwatch();
  for (let g = 0; g < groups; g++) {
    const commits = Array.from({ length: callers }, (_, c) => commitOf(g * callers + c, 1));
    watch.start();
    await Promise.all(commits.map((commit) => log.append(commit)));
    watch.stop();
  }
  await log.close();
  return watch.measured();
}

/** better-sqlite3 alone, with rows encoded and hashed beforehand: the same table, index, guards and pragmas. */
function raw(file: string, commits: number, events: number): Measured {
  void openSqliteLogSync({ file, create: true }).close();
  const db = new BetterSqlite3(file);
  setPragmas(db, { busyTimeout: 10_000 });
  const insert = db.prepare(
    'INSERT INTO events (position, stream, version, type, bytes, leaf) VALUES (?, ?, ?, ?, ?, ?)',
  );
  let position = 0;
  const write = db.transaction((batch: readonly Row[]) => {
    for (const row of batch) {
      insert.run(position++, row.stream, row.version, row.type, row.bytes, row.leaf);
    }
  });
  const watch = stopwatch();
  for (let c = 0; c < commits; c++) {
    const rows = rowsOf(commitOf(c, events));
    watch.start();
    write.immediate(rows);
    watch.stop();
  }
  db.close();
  return watch.measured();
}

function rowsOf(commit: Commit): Row[] {
  const log = openMemoryLog();
  log.appendSync([commit]);
  return [...log.readSync({})].flat();
}

/** A run in a stream of its own, as the gate writes it; built outside the time that is taken, just before it is written. */
function commitOf(n: number, events: number): Commit {
  return {
    writes: [
      {
        stream: `call/00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
        expected: 'none',
        events: Array.from({ length: events }, (_, e) => lookupEvent(n * events + e)),
      },
    ],
  };
}

/** As large as a lookup of one slot with its walk over three sources: some 575 bytes stored. */
function lookupEvent(n: number): NewEvent {
  const subject = { slot: `/passengers/${n % 7}/date_of_birth` };
  return {
    type: 'LookupPerformed',
    schema: 1,
    id: `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`,
    at: '2026-01-01T00:00:00.000Z',
    data: {
      lookups: [
        { by: 'log', outcome: { said: 'no_place' }, request: { key: {}, source: 'user_answer', subject } },
        {
          by: 'locator',
          outcome: {
            also: 1,
            claims: [{ at: { end: 190 + n, in: 'text', segment: 3, start: n } }],
            said: 'claim',
          },
          request: { key: {}, source: 'instruction', subject },
        },
      ],
      run: '00000000-0000-4000-a000-000000000000',
    },
  };
}

function stopwatch() {
  let wall = 0;
  let cpu = 0;
  let started = { wall: 0, cpu: process.cpuUsage() };
  return {
    start() {
      started = { wall: performance.now(), cpu: process.cpuUsage() };
    },
    stop() {
      wall += performance.now() - started.wall;
      const used = process.cpuUsage(started.cpu);
      cpu += used.user + used.system;
    },
    measured: (): Measured => ({ wall: wall / 1e3, cpu: cpu / 1e6 }),
  };
}

function table(lines: readonly BenchLine[], bytes: number): string {
  const rows = lines.map((line) => [
    line.name,
    `${Math.round(line.ours)}/s`,
    `${Math.round(line.base)}/s`,
    line.ratio.toFixed(2),
    line.cpuRatio.toFixed(2),
    `>= ${line.floor}`,
    line.holds ? 'holds' : 'MISSED',
  ]);
  const all = [['log', 'ours', 'base', 'ratio', 'CPU ratio', 'floor', ''], ...rows];
  const widths = (all[0] ?? []).map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)));
  const body = all.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...body, `rows of ${bytes} bytes; median of ${ROUNDS} alternating rounds`].join('\n');
}
