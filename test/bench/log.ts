import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import type { Commit, NewEvent } from '../../src/log/index.ts';
import { openMemoryLog, openSqliteLogSync } from '../../src/log/index.ts';
import type { Row } from '../../src/log/row.ts';

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
    const bytes = rowsOf(commitsOf(1, 1000, 0))[0]?.bytes.length ?? 0;
    const lines = [
      await compare('1000 events a commit, FULL, against raw', 0.6, 20_000, [
        () => ours(fresh(), commitsOf(20, 1000, 0)),
        () => raw(fresh(), commitsOf(20, 1000, 0)),
      ]),
      await compare('one run (25 events) a commit, FULL, against raw', 0.7, 5_000, [
        () => ours(fresh(), commitsOf(200, 25, 0)),
        () => raw(fresh(), commitsOf(200, 25, 0)),
      ]),
      await compare('64 callers in a group, against one commit each', 5, 1_280, [
        () => grouped(fresh(), commitsOf(1_280, 1, 0), 64),
        () => ours(fresh(), commitsOf(1_280, 1, 0)),
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

function ours(file: string, commits: readonly Commit[]): Measured {
  const log = openSqliteLogSync({ file, create: true });
  const measured = measure(() => {
    for (const commit of commits) log.appendSync([commit]);
  });
  void log.close();
  return measured;
}

async function grouped(file: string, commits: readonly Commit[], callers: number): Promise<Measured> {
  const log = openSqliteLogSync({ file, create: true });
  const start = clock();
  for (let at = 0; at < commits.length; at += callers) {
    await Promise.all(commits.slice(at, at + callers).map((commit) => log.append(commit)));
  }
  const measured = since(start);
  await log.close();
  return measured;
}

/** better-sqlite3 alone, with rows encoded and hashed beforehand: the same table, index, guards and pragmas. */
function raw(file: string, commits: readonly Commit[]): Measured {
  const rows = commits.map((commit) => rowsOf([commit]));
  void openSqliteLogSync({ file, create: true }).close();
  const db = new BetterSqlite3(file);
  for (const pragma of ['synchronous = FULL', 'secure_delete = ON', 'recursive_triggers = ON'])
    db.pragma(pragma);
  const insert = db.prepare(
    'INSERT INTO events (position, stream, version, type, bytes, leaf) VALUES (?, ?, ?, ?, ?, ?)',
  );
  let position = 0;
  const write = db.transaction((batch: readonly Row[]) => {
    for (const row of batch) {
      insert.run(position++, row.stream, row.version, row.type, row.bytes, row.leaf);
    }
  });
  const measured = measure(() => {
    for (const batch of rows) write.immediate(batch);
  });
  db.close();
  return measured;
}

function rowsOf(commits: readonly Commit[]): Row[] {
  const log = openMemoryLog();
  log.appendSync(commits);
  return [...log.readSync({})].flat();
}

/** Each commit is a run in a stream of its own, as the gate writes them. */
function commitsOf(commits: number, events: number, seed: number): Commit[] {
  return Array.from({ length: commits }, (_, c) => ({
    writes: [
      {
        stream: `call/00000000-0000-4000-8000-${String(seed + c).padStart(12, '0')}`,
        expected: 'none' as const,
        events: Array.from({ length: events }, (_, e) => lookupEvent(c * events + e)),
      },
    ],
  }));
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

function clock(): { at: number; cpu: NodeJS.CpuUsage } {
  return { at: performance.now(), cpu: process.cpuUsage() };
}

function since(start: ReturnType<typeof clock>): Measured {
  const cpu = process.cpuUsage(start.cpu);
  return { wall: (performance.now() - start.at) / 1000, cpu: (cpu.user + cpu.system) / 1e6 };
}

function measure(work: () => void): Measured {
  const start = clock();
  work();
  return since(start);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
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
