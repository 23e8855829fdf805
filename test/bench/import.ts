import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { importerOf } from '../../src/audit/import.ts';
import { auditCalls, toolTable } from '../../src/audit/runs.ts';
import { loadChecklistFile } from '../../src/declarations/load.ts';
import { randomId } from '../../src/events/random-id.ts';
import { GATE_DIGEST } from '../../src/gate-digest.ts';
import { openSqliteLogSync } from '../../src/log/index.ts';
import { setPragmas } from '../../src/log/pragmas.ts';
import { SCHEMA } from '../../src/log/schema.ts';
import type { Declared } from '../../src/runs/declared.ts';
import { environment } from '../../src/runs/environment.ts';
import { readTranscripts } from '../../src/transcripts/index.ts';
import { bookingTranscript } from './conversations.ts';
import { median } from './median.ts';

export interface ImportFigures {
  readonly conversations: number;
  readonly events: number;
  readonly eventsPerRun: number;
  readonly bytesPerRun: number;
  /** Slots and conditions of a run's verdict. */
  readonly slotsPerRun: number;
  /** Raw CPU (or wall) over the import's: 1 is as fast as writing the finished rows. */
  readonly cpuRatio: number;
  readonly wallRatio: number;
  /** Share of the import's CPU. */
  readonly phases: { readonly reading: number; readonly judging: number; readonly recording: number };
}

/** What a disk takes for a sync changes from second to second: whole and raw alternate, and the median ratio counts. */
const ROUNDS = 5;

/** A whole import against raw better-sqlite3 writing the very same rows, one transaction a conversation, FULL. */
export function importFigures(conversations: number): ImportFigures {
  const folder = mkdtempSync(join(tmpdir(), 'grounds-bench-'));
  try {
    const file = join(folder, 'transcripts.jsonl');
    writeFileSync(file, bookingTranscript(conversations));
    const { checklist, digest } = loadChecklistFile('fixtures/checklists/airline.yaml');
    const declared: Declared = {
      checklists: [{ digest, body: checklist }],
      unsound: [],
      tools: new Map(),
      gate: GATE_DIGEST,
      ruleset: 'standard',
    };
    // Once over everything first: what is measured is the work, not the compiler's warming up.
    importInto(join(folder, 'warm.db'), file, declared);
    const reading = measured(() => {
      for (const _ of readTranscripts(file));
    });
    const tools = toolTable(declared);
    const judging = measured(() => {
      for (const conversation of readTranscripts(file))
        for (const _ of auditCalls(conversation, declared, tools));
    });
    const rounds = Array.from({ length: ROUNDS }, (_, round) => {
      const whole = measured(() => importInto(join(folder, `log-${round}.db`), file, declared));
      const written = rowsOf(join(folder, `log-${round}.db`));
      return { whole, raw: measured(() => writeRaw(join(folder, `raw-${round}.db`), written)) };
    });
    const rows = rowsOf(join(folder, 'log-0.db'));
    const cpu = median(rounds.map(({ whole }) => whole.cpu));
    const runBytes = rows
      .filter((row) => ['RunStarted', 'LookupPerformed', 'VerdictRecorded'].includes(row.type))
      .map((row) => row.bytes.length);
    return {
      conversations,
      events: rows.length,
      eventsPerRun: runBytes.length / conversations,
      slotsPerRun: slotsIn(rows),
      bytesPerRun: runBytes.reduce((sum, bytes) => sum + bytes, 0) / conversations,
      cpuRatio: median(rounds.map(({ whole, raw }) => raw.cpu / whole.cpu)),
      wallRatio: median(rounds.map(({ whole, raw }) => raw.wall / whole.wall)),
      phases: {
        reading: reading.cpu / cpu,
        judging: (judging.cpu - reading.cpu) / cpu,
        recording: (cpu - judging.cpu) / cpu,
      },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function importInto(file: string, transcript: string, declared: Declared): void {
  const log = openSqliteLogSync({ file, create: true });
  const importer = importerOf({
    log,
    declared,
    clock: () => new Date().toISOString(),
    newId: randomId,
    environment: environment(),
  });
  for (const conversation of readTranscripts(transcript)) importer.add(conversation);
  void log.close();
}

interface RawRow {
  readonly position: number;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly bytes: Buffer;
  readonly leaf: Buffer;
}

function rowsOf(file: string): RawRow[] {
  const db = new BetterSqlite3(file, { readonly: true });
  const rows = db
    .prepare('SELECT position, stream, version, type, bytes, leaf FROM events ORDER BY position')
    .all();
  db.close();
  return rows as RawRow[];
}

function slotsIn(rows: readonly RawRow[]): number {
  const verdict = rows.find(({ type }) => type === 'VerdictRecorded');
  const event = JSON.parse(verdict?.bytes.toString() ?? '{}') as { data?: { verdict: { slots: unknown[] } } };
  return event.data?.verdict.slots.length ?? 0;
}

function writeRaw(file: string, rows: readonly RawRow[]): void {
  const db = new BetterSqlite3(file);
  setPragmas(db, { busyTimeout: 10_000 });
  for (const { sql } of SCHEMA) db.exec(sql);
  const insert = db.prepare(
    'INSERT INTO events (position, stream, version, type, bytes, leaf) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const write = db.transaction((batch: readonly RawRow[]) => {
    for (const row of batch) insert.run(row.position, row.stream, row.version, row.type, row.bytes, row.leaf);
  });
  let batch: RawRow[] = [];
  for (const row of rows) {
    // A conversation's rows end where the next one's first segment begins.
    if (row.type === 'SegmentAdded' && row.version === 0 && batch.length > 0) {
      write.immediate(batch);
      batch = [];
    }
    batch.push(row);
  }
  if (batch.length > 0) write.immediate(batch);
  db.close();
}

function measured(work: () => void): { cpu: number; wall: number } {
  const started = process.hrtime.bigint();
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1000, wall: Number(process.hrtime.bigint() - started) / 1e6 };
}
