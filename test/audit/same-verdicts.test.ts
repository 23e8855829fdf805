import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importerOf } from '../../src/audit/import.ts';
import type { Checklist } from '../../src/declarations/checklist.ts';
import { loadChecklistFile } from '../../src/declarations/load.ts';
import { digestOf } from '../../src/events/digest.ts';
import type { Json } from '../../src/events/json.ts';
import { randomId } from '../../src/events/random-id.ts';
import { GATE_DIGEST } from '../../src/gate-digest.ts';
import { openMemoryLog, type SyncLog } from '../../src/log/index.ts';
import { environment } from '../../src/runs/environment.ts';
import { type Conversation, readTranscripts } from '../../src/transcripts/index.ts';
import { importElsewhere } from './import-child.ts';
import { type Recorded, recordedAt, recordedIn } from './recorded.ts';
import { shuffledText, shufflerOf } from './shuffled.ts';

const path = (name: string): string => new URL(`../../fixtures/${name}`, import.meta.url).pathname;
const real = process.env.GROUNDS_REAL_DATA;

interface Subject {
  readonly name: string;
  readonly transcript: string | null;
  readonly checklist: string;
  readonly calls: number;
}

const SUBJECTS: readonly Subject[] = [
  {
    name: 'a shop of our own',
    transcript: path('transcripts/shop.jsonl'),
    checklist: 'retail',
    calls: 7,
  },
  {
    name: 'public airline runs (GROUNDS_REAL_DATA names their folder)',
    transcript: real ? join(real, 'tau-bench/gpt-4o-airline-1.jsonl') : null,
    checklist: 'airline',
    calls: 131,
  },
  {
    name: 'public retail runs (GROUNDS_REAL_DATA names their folder)',
    transcript: real ? join(real, 'tau-bench/tool-calling-l0-4o-1.jsonl') : null,
    checklist: 'retail',
    calls: 123,
  },
];

const dir = mkdtempSync(join(tmpdir(), 'grounds-same-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
let files = 0;
const fresh = (end: string): string => join(dir, `${++files}${end}`);

describe.each(SUBJECTS)('$name', ({ transcript, checklist, calls }) => {
  describe.skipIf(transcript === null)('imported', () => {
    const source = transcript ?? '';
    const rules = path(`checklists/${checklist}.yaml`);
    let once: Recorded;
    beforeAll(() => {
      const log = openMemoryLog();
      importAll(log, loadChecklistFile(rules).checklist, readTranscripts(source));
      once = recordedIn(log);
    }, 120_000);

    test('each gated call has one verdict, and not all are alike', () => {
      expect(once.verdicts.size).toBe(calls);
      expect([...once.verdicts.values()].every((runs) => runs.length === 1)).toBe(true);
      expect(new Set([...once.verdicts.values()].flat()).size).toBeGreaterThan(calls / 4);
    });

    test('two processes, two logs, two zones and languages: the same verdicts', async () => {
      const env = [
        { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
        { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' },
      ];
      for (const one of env) {
        const log = fresh('.db');
        const end = await importElsewhere({ log, transcript: source, checklist: rules, env: one });
        expect(end).toEqual({ told: lineCount(source), killed: false, code: 0 });
        const recorded = await recordedAt(log);
        expect(recorded.verdicts).toEqual(once.verdicts);
        expect(recorded.types).toEqual(once.types);
      }
    }, 240_000);

    test.each([1, 2])(
      'keys in another order (seed %i): the same verdicts',
      (seed) => {
        const shuffled = fresh('.jsonl');
        const lines = readFileSync(source, 'utf8').split('\n').filter(Boolean);
        const order = shufflerOf(seed);
        const text = lines.map((line) => `${shuffledText(JSON.parse(line) as Json, order)}\n`);
        expect(text.join('')).not.toBe(`${lines.join('\n')}\n`);
        writeFileSync(shuffled, text.join(''));
        const log = openMemoryLog();
        importAll(log, loadChecklistFile(rules).checklist, readTranscripts(shuffled));
        expect(recordedIn(log).verdicts).toEqual(once.verdicts);
      },
      120_000,
    );

    test('twice into one log adds nothing, and a changed checklist one run a call', () => {
      const log = openMemoryLog();
      const { checklist: body } = loadChecklistFile(rules);
      expect(importAll(log, body, readTranscripts(source))).toBe(calls);
      const size = log.sizeSync();
      expect(importAll(log, body, readTranscripts(source))).toBe(0);
      expect(log.sizeSync()).toBe(size);

      const changed = { ...body, tool_errors: [...body.tool_errors, 'Refused'] };
      expect(importAll(log, changed, readTranscripts(source))).toBe(calls);
      const after = recordedIn(log);
      expect([...after.verdicts.values()].every((runs) => runs.length === 2)).toBe(true);
      expect(after.types.RunStarted).toBe(2 * (once.types.RunStarted ?? 0));
      expect(after.types.VerdictRecorded).toBe(2 * calls);
      for (const type of ['SegmentAdded', 'CallObserved', 'ToolDeclared']) {
        expect(after.types[type], type).toBe(once.types[type]);
      }
      expect(after.types.ChecklistDeclared).toBe(2 * (once.types.ChecklistDeclared ?? 0));
      const again = log.sizeSync();
      expect(importAll(log, changed, readTranscripts(source))).toBe(0);
      expect(importAll(log, body, readTranscripts(source))).toBe(0);
      expect(log.sizeSync()).toBe(again);
    }, 120_000);

    test('stopped between conversations, each is there whole; importing again completes it', () => {
      const log = openMemoryLog();
      const { checklist: body } = loadChecklistFile(rules);
      const half = Math.ceil(lineCount(source) / 2);
      importAll(log, body, take(readTranscripts(source), half));
      const stopped = recordedIn(log);
      expect(stopped.conversations.size).toBeGreaterThan(0);
      expect([...stopped.conversations].every(([line]) => line <= half)).toBe(true);
      expectWhole(stopped, once);
      importAll(log, body, readTranscripts(source));
      const completed = recordedIn(log);
      expect(completed.verdicts).toEqual(once.verdicts);
      expect(completed.types).toEqual(once.types);
      expect(completed.conversations).toEqual(once.conversations);
    }, 120_000);

    test('killed at any moment, each conversation is there whole or not at all', async () => {
      const log = fresh('.db');
      const job = { log, transcript: source, checklist: rules };
      const { told, killed } = await importElsewhere({ ...job, killAfter: 2 });
      expect(killed).toBe(true);
      const left = await recordedAt(log);
      const lines = new Set([...once.conversations.keys()].filter((line) => line <= 2));
      for (const line of lines) expect(left.conversations.has(line), `line ${line}`).toBe(true);
      expect(told).toBeGreaterThanOrEqual(2);
      expectWhole(left, once);
      expect((await importElsewhere(job)).code).toBe(0);
      const completed = await recordedAt(log);
      expect(completed.verdicts).toEqual(once.verdicts);
      expect(completed.types).toEqual(once.types);
    }, 240_000);
  });
});

/** Gives how many gated calls were new. */
function importAll(log: SyncLog, body: Checklist, conversations: Iterable<Conversation>): number {
  const importer = importerOf({
    log,
    declared: {
      checklists: [{ digest: digestOf(body), body }],
      unsound: [],
      tools: new Map(),
      gate: GATE_DIGEST,
      ruleset: 'standard',
    },
    clock: () => '2026-01-01T00:00:00.000Z',
    newId: randomId,
    environment: environment(),
  });
  let added = 0;
  for (const conversation of conversations) {
    for (const call of importer.add(conversation)) if (call.added && call.run_id !== null) added++;
  }
  return added;
}

function expectWhole(part: Recorded, whole: Recorded): void {
  for (const [line, counts] of part.conversations) {
    expect(counts, `line ${line}`).toEqual(whole.conversations.get(line));
  }
  for (const [place, digests] of part.verdicts) expect(digests, place).toEqual(whole.verdicts.get(place));
}

function* take<T>(items: Iterable<T>, count: number): Generator<T, void> {
  let left = count;
  for (const item of items) {
    if (left-- === 0) return;
    yield item;
  }
}

function lineCount(file: string): number {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean).length;
}
