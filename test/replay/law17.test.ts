import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { exitOf, type Gate, UNANCHORED_FIELDS } from '../../replay/index.ts';
import { parseChecklist } from '../../src/declarations/load.ts';
import { encode } from '../../src/events/canonical.ts';
import type { Envelope } from '../../src/events/envelope.ts';
import type { Lookup } from '../../src/events/lookup.ts';
import type { LookupPerformed } from '../../src/events/run.ts';
import type { Verdict } from '../../src/events/verdict.ts';
import { lookupsOf } from '../../src/events/walk.ts';
import { drive, isGated, locate, step } from '../../src/gate/index.ts';
import { openSqliteLogSync, type StoredRow } from '../../src/log/index.ts';
import { bank } from '../checklists.ts';
import { freshFiles } from '../log/folder.ts';
import { type Fate, fateOf } from './law17.ts';
import { type Replayed, record, replayed } from './recorded.ts';
import { type Mutant, mutantsOf, overwrite, past, rewrite, rowsOf } from './tamper.ts';

const fresh = freshFiles();
const file = fresh('bank.db');
const log = openSqliteLogSync({ file, create: true });
const transcript = join(import.meta.dirname, '../../fixtures/transcripts/bank.jsonl');
record(log, [transcript], bank());
const rows = rowsOf(log);
const events = rows.map(({ event }) => event);
afterAll(() => log.close());

/** The first mutant of each kind: a field by its type and pointer with `*` for each index, and how it was changed. */
function kinds(of: readonly StoredRow[]): { row: StoredRow; mutant: Mutant }[] {
  const first = new Map<string, { row: StoredRow; mutant: Mutant }>();
  for (const row of of) {
    for (const mutant of mutantsOf(row.event)) {
      const kind = `${row.type}${mutant.pointer.replaceAll(/\/\d+/g, '/*')} ${mutant.what}`;
      if (!first.has(kind)) first.set(kind, { row, mutant });
    }
  }
  return [...first.values()];
}

function fatesOf(mutants: readonly { row: StoredRow; mutant: Mutant }[], replay: () => Replayed): Fate[] {
  return mutants.map(({ row, mutant }) => {
    overwrite(file, row.position, mutant.event, 'mended');
    try {
      return fateOf(row, mutant, replay());
    } finally {
      overwrite(file, row.position, row.event, 'mended');
    }
  });
}

function survivors(fates: readonly Fate[]): string[] {
  return [...new Set(fates.flatMap((fate) => (fate.fate === 'survived' ? [fate.field] : [])))].sort();
}

/** Of a run that was changed: the log is put back afterwards. */
function changed(change: (events: Envelope[]) => void): Replayed & { readonly exit: number } {
  const copy = [...events];
  change(copy);
  rewrite(file, copy);
  try {
    const result = replayed(log);
    return { ...result, exit: exitOf(result.summary) };
  } finally {
    rewrite(file, events);
  }
}

/** Fields that the gate reads, in runs whose verdict does not hang on them. */
const NO_MATTER_HERE = [
  'RunStarted/data/attempts/intent',
  'RunStarted/data/attempts/tool',
  'RunStarted/data/now',
  'RunStarted/data/request_from',
];

const atOf = (type: string, nth = 0): number =>
  rows.filter((row) => row.type === type)[nth]?.position as number;
/** The first walk for a slot, wherever the order of requests puts it. */
const walkOf = (slot: string): number =>
  rows.find(({ event }) => {
    const { subject } = event.data as Partial<LookupPerformed>;
    return (
      event.type === 'LookupPerformed' && subject !== undefined && 'slot' in subject && subject.slot === slot
    );
  })?.position as number;
const dataOf = <T>(position: number): T => structuredClone(events[position]?.data) as T;
const withData = (position: number, data: unknown): Envelope => ({ ...(events[position] as Envelope), data });

describe('law 17, where the leaf hash is left as it was', () => {
  it.each(rows.map((row) => [row.position, row.type, row] as const))(
    'a change of event %i (%s) is found there, exit 4',
    (position, _, row) => {
      const mutant = mutantsOf(row.event).find(({ pointer }) => pointer.startsWith('/data/')) as Mutant;
      overwrite(file, position, mutant.event, 'left');
      const { found, summary } = replayed(log);
      overwrite(file, position, row.event, 'mended');
      expect(exitOf(summary)).toBe(4);
      expect(found.find(({ code }) => code === 'leaf')).toMatchObject({
        finding: 'INPUT_TAMPERED',
        at: position,
      });
    },
  );

  it('runs that rest on a changed input are not said to match', () => {
    const tool = atOf('ToolDeclared');
    overwrite(
      file,
      tool,
      withData(tool, { ...dataOf<object>(tool), digest: `sha256:${'0'.repeat(64)}` }),
      'left',
    );
    const { summary } = replayed(log);
    overwrite(file, tool, events[tool] as Envelope, 'mended');
    expect(summary.matched).toBeLessThan(5);
    const said = atOf('SegmentAdded', 1);
    overwrite(file, said, { ...(events[said] as Envelope), at: '2026-03-02T11:00:00.001Z' }, 'left');
    const { found } = replayed(log);
    overwrite(file, said, events[said] as Envelope, 'mended');
    expect(found.filter(({ code, at }) => code === 'input' && at === said)).toHaveLength(2);
  });
});

describe('law 17, where the leaf hash was mended too', () => {
  const ofRuns = kinds(rows.filter(({ type }) => type === 'LookupPerformed' || type === 'VerdictRecorded'));
  const ofInputs = kinds(rows.filter(({ type }) => type === 'RunStarted' || type.endsWith('Declared')));
  const ofRest = kinds(rows.filter(({ type }) => type === 'SegmentAdded' || type === 'CallObserved'));

  it('every change of a lookup or a verdict is found, at its place', { timeout: 240_000 }, () => {
    expect(ofRuns.length).toBeGreaterThan(100);
    const fates = fatesOf(ofRuns, () => replayed(log));
    expect(fates.filter(({ fate }) => fate === 'misplaced')).toEqual([]);
    expect(survivors(fates).every((field) => /^[A-Za-z]+\/(at|id)$/.test(field))).toBe(true);
  });

  it('every change of a declaration or a RunStarted is found, but for what is listed', {
    timeout: 240_000,
  }, () => {
    const fates = fatesOf(ofInputs, () => replayed(log));
    expect(fates.filter(({ fate }) => fate === 'misplaced')).toEqual([]);
    const unlisted = survivors(fates).filter(
      (field) =>
        !NO_MATTER_HERE.includes(field) &&
        !UNANCHORED_FIELDS.some((known) => {
          const name = known.startsWith('*') ? field.replace(/^[A-Za-z]+/, '*') : field;
          return name === known || name.startsWith(`${known}/`);
        }),
    );
    expect(unlisted).toEqual([]);
    expect(survivors(fates)).toEqual(expect.arrayContaining(NO_MATTER_HERE));
  });

  it('of what was said, measured and observed, what no outcome hangs on is left to a checkpoint', {
    timeout: 240_000,
  }, () => {
    const fates = fatesOf(ofRest, () => replayed(log));
    expect(fates.filter(({ fate }) => fate === 'misplaced')).toEqual([]);
    expect(fates.some(({ fate }) => fate === 'found')).toBe(true);
    expect(survivors(fates)).toEqual(
      expect.arrayContaining([
        'CallObserved/data/outcome',
        'CallObserved/at',
        'SegmentAdded/data/segment/at',
      ]),
    );
    expect(replayed(log).summary.unanchored.kinds).toMatchObject({ CallObserved: 9 });
  });

  it('an observation can not say otherwise than its run which tool it was, or that the gate stands not before it', () => {
    const { stream, position } = rows.find(({ type }) => type === 'RunStarted') as StoredRow;
    const seen = rows.find((row) => row.type === 'CallObserved' && row.stream === stream)?.position as number;
    const outside = { gated: false, origin: { file: 'runs.jsonl', line: 1, message: 4 } };
    for (const [path, change] of [
      ['/gated', { gated: false }],
      ['/gated', outside],
      ['/tool', { tool: 'get_balance' }],
    ] as const) {
      const { found, exit } = changed((all) => {
        all[seen] = withData(seen, { ...dataOf<object>(seen), ...change });
      });
      expect(exit).toBe(4);
      expect(found).toMatchObject([
        { finding: 'INPUT_TAMPERED', code: 'observed', call_id: stream.slice(5), position, at: seen, path },
      ]);
    }
  });

  it('a call that other rules find outside the gate, or under it, is no contradiction', async () => {
    const free = parseChecklist(
      `grounds: 1
checklist: bank/free
declared_by: system
tools: { transfer: { reversible: true }, pay_batch: { reversible: true } }
`,
      'free.yaml',
    );
    for (const rules of [
      [bank(), free],
      [free, bank()],
      [bank(), null, free],
    ]) {
      const other = openSqliteLogSync({ file: fresh(), create: true });
      let ids = 0;
      for (const each of rules) ids = record(other, [transcript], each, ids);
      expect(rowsOf(other).some(({ type, version }) => type === 'CallObserved' && version > 0)).toBe(true);
      expect(replayed(other).found).toEqual([]);
      await other.close();
    }
  });

  it('words that a lookup points to can not be changed unseen', () => {
    const said = atOf('SegmentAdded', 1);
    const data = dataOf<{ segment: { body: { plain: string } } }>(said);
    data.segment.body.plain = data.segment.body.plain.replace('AC-2002', 'AC-2003');
    const { found, exit } = changed((all) => {
      all[said] = withData(said, data);
    });
    expect(exit).toBe(1);
    expect(found[0]).toMatchObject({
      finding: 'LOOKUP_DIFFERS',
      path: 'slot /to_account instruction',
      code: 'outcome',
    });
  });

  it('a fact that a condition hangs on can not be changed unseen', () => {
    const measured = rows.find(({ event }) => encode(event).includes('"available":900'))?.position as number;
    const data = dataOf<{ segment: { body: { plain: { available: number } } } }>(measured);
    data.segment.body.plain.available = 200;
    const { found, exit } = changed((all) => {
      all[measured] = withData(measured, data);
    });
    expect(exit).toBe(1);
    expect(found[0]).toMatchObject({
      finding: 'VERDICT_DIFFERS',
      path: '/kind',
      recorded: 'executable',
      recomputed: 'unmet',
    });
  });
});

describe('events that were taken out, put in or moved, with everything mended', () => {
  const lookup = walkOf('/from_account');
  const verdict = atOf('VerdictRecorded');
  const started = atOf('RunStarted');

  it('a lookup taken out is missing', () => {
    const { found, exit } = changed((all) => all.splice(lookup, 1));
    expect(exit).toBe(1);
    expect(found).toMatchObject([
      { finding: 'LOOKUP_MISSING', position: started, path: 'slot /from_account instruction' },
    ]);
  });

  it('one answer taken out of a walk is missing', () => {
    const data = dataOf<LookupPerformed>(lookup);
    data.answers.splice(1, 1);
    const { found } = changed((all) => {
      all[lookup] = withData(lookup, data);
    });
    expect(found).toMatchObject([{ finding: 'LOOKUP_MISSING', path: 'slot /from_account pre_set_data' }]);
  });

  it('an answer put in, though true, is unused', () => {
    const data = dataOf<LookupPerformed>(lookup);
    data.answers.push({ source: 'prior_state', by: 'log', outcome: { said: 'absent' } });
    const { found } = changed((all) => {
      all[lookup] = withData(lookup, data);
    });
    expect(found).toMatchObject([
      { finding: 'LOOKUP_UNUSED', at: lookup, path: 'slot /from_account prior_state' },
    ]);
  });

  it('one request with two answers is an input that was tampered with, never the first that wins', () => {
    const data = dataOf<LookupPerformed>(lookup);
    data.answers.push({ source: 'user_answer', by: 'log', outcome: { said: 'no_place' } });
    const { found, exit } = changed((all) => {
      all[lookup] = withData(lookup, data);
    });
    expect(exit).toBe(4);
    expect(found).toMatchObject([{ finding: 'INPUT_TAMPERED', code: 'two_answers', at: lookup }]);
  });

  it('an outcome that nobody could have given is a difference', () => {
    const data = dataOf<LookupPerformed>(lookup);
    const [answer] = data.answers;
    if (answer !== undefined) answer.outcome = { said: 'failed', code: 'timeout' };
    const { found } = changed((all) => {
      all[lookup] = withData(lookup, data);
    });
    expect(found).toMatchObject([{ finding: 'LOOKUP_DIFFERS', at: lookup, recorded: { said: 'failed' } }]);
  });

  it('a lookup twice is an input that was tampered with', () => {
    const { found, exit } = changed((all) => all.splice(lookup, 0, events[lookup] as Envelope));
    expect(exit).toBe(4);
    expect(found).toMatchObject([{ finding: 'INPUT_TAMPERED', code: 'two_walks', at: lookup + 1 }]);
  });

  it('a run without its verdict is incomplete; a verdict without its run is stray', () => {
    const without = changed((all) => all.splice(verdict, 1));
    expect(without.exit).toBe(4);
    expect(without.found).toMatchObject([
      { finding: 'INPUT_TAMPERED', code: 'incomplete', position: started },
    ]);
    const orphaned = changed((all) => all.splice(started, 1));
    expect(orphaned.exit).toBe(4);
    expect(orphaned.found.every(({ code }) => code === 'stray')).toBe(true);
    const doubled = changed((all) => all.splice(verdict, 0, events[verdict] as Envelope));
    expect(doubled.found).toMatchObject([{ finding: 'INPUT_TAMPERED', code: 'stray', at: verdict + 1 }]);
  });

  it('a log cut off within a run ends incomplete', () => {
    const { found, exit } = changed((all) => all.splice(verdict));
    expect(exit).toBe(4);
    expect(found).toMatchObject([{ code: 'incomplete', position: started }]);
  });

  it('what was said later than the run is no input of it', () => {
    const said = atOf('SegmentAdded', 4);
    const { found, exit } = changed((all) => {
      const [moved] = all.splice(said, 1);
      all.splice(verdict, 0, moved as Envelope);
    });
    expect(exit).toBe(3);
    expect(found[0]).toMatchObject({ finding: 'INPUT_MISSING', code: 'not_held' });
  });

  it('a declaration taken out is missing, and exit 3 says that nothing was proven', () => {
    const { found, summary, exit } = changed((all) => all.splice(atOf('ChecklistDeclared'), 1));
    expect(exit).toBe(3);
    expect(summary).toMatchObject({ replayed: 0, missing_input: 5 });
    expect(found[0]).toMatchObject({ finding: 'INPUT_MISSING', path: 'checklist/system/bank~1policy' });
  });

  it('segments in another order are found where a place leads', () => {
    const said = atOf('SegmentAdded', 1);
    const { exit } = changed((all) => {
      [all[said - 1], all[said]] = [all[said] as Envelope, all[said - 1] as Envelope];
    });
    expect(exit).toBe(1);
  });

  it('a row taken out with nothing mended leaves a gap, exit 4', () => {
    const { found, exit } = changed(() => {});
    expect([found, exit]).toEqual([[], 0]);
    past(file, (db) => db.prepare('DELETE FROM events WHERE position = ?').run(lookup));
    const after = replayed(log);
    rewrite(file, events);
    expect(exitOf(after.summary)).toBe(4);
    expect(after.found.map(({ code, at }) => [code, at])).toContainEqual(['position', lookup + 1]);
  });

  it.each([
    ['a whole call', (event: Envelope) => event.stream === events[started]?.stream],
    ['an outcome', (event: Envelope) => event === events[atOf('CallObserved', 1)]],
  ])('%s taken out of the middle, on which no other verdict rests, shows in the digest alone', (_, out) => {
    const whole = replayed(log).summary;
    const { found, summary, exit } = changed((all) => {
      all.splice(0, all.length, ...all.filter((event) => !out(event)));
    });
    expect([found, exit]).toEqual([[], 0]);
    expect(summary.log_digest).not.toBe(whole.log_digest);
  });

  it('opens as an untouched log does: the attacks left its guards as they were', async () => {
    const again = openSqliteLogSync({ file });
    expect(replayed(again).found).toEqual([]);
    await again.close();
  });
});

describe('runs that are made anew', () => {
  const long = (): Replayed => replayed(log, { all: true, gates: () => ({ isGated, locate, step }) });

  it('are told as runs whose rows are read and asked again', { timeout: 240_000 }, () => {
    expect(replayed(log, { all: true })).toEqual(long());
    for (const { row, mutant } of kinds(rows.filter(({ position }) => position < 18))) {
      overwrite(file, row.position, mutant.event, 'mended');
      const [made, read] = [replayed(log, { all: true }), long()];
      overwrite(file, row.position, row.event, 'mended');
      expect(made).toEqual(read);
    }
  });

  it('match only what is there: a gate that makes them otherwise has them read', () => {
    const silent = replayed(log, {
      gates: () => ({
        isGated,
        locate,
        step,
        drive: (run, answer) => ({ ...drive(run, answer), lookups: [] }),
      }),
    });
    expect(silent.summary.matched).toBe(5);
    const wrong = replayed(log, {
      gates: () => ({
        isGated,
        step,
        drive,
        locate: (run, request) => ({ ...locate(run, request), outcome: { said: 'absent' } }),
      }),
    });
    expect(wrong.summary).toMatchObject({ matched: 0, diverged: 5 });
  });
});

describe('the canary: a replayer that is broken on purpose lets mutants live', () => {
  const some = kinds(
    rows.filter(
      ({ type, position }) => (type === 'LookupPerformed' || type === 'VerdictRecorded') && position < 17,
    ),
  );
  const brokenGate = (part: Partial<Gate>): Replayed =>
    replayed(log, { gates: () => ({ isGated, locate, step, ...part }) });

  it('one that believes the recorded verdict', { timeout: 120_000 }, () => {
    const fates = fatesOf(some, () => {
      const verdicts = rowsOf(log).flatMap(({ event }) =>
        event.type === 'VerdictRecorded' ? [(event.data as { verdict: Verdict }).verdict] : [],
      );
      return brokenGate({
        step: (run, lookups) => {
          const stepped = step(run, lookups);
          const verdict = verdicts.shift();
          return 'need' in stepped || verdict === undefined ? stepped : { ...stepped, verdict };
        },
      });
    });
    expect(
      survivors(fates).filter((field) => field.startsWith('VerdictRecorded/data')).length,
    ).toBeGreaterThan(20);
  });

  it('one that compares verdicts alone and asks no lookup again', { timeout: 120_000 }, () => {
    const fates = fatesOf(some, () => {
      const recorded = new Map<string, Lookup>();
      let proposal: unknown;
      for (const { event } of rowsOf(log)) {
        if (event.type === 'RunStarted') proposal = (event.data as { proposal: unknown }).proposal;
        if (event.type !== 'LookupPerformed') continue;
        for (const lookup of lookupsOf([event.data as LookupPerformed])) {
          recorded.set(encode([proposal, lookup.request]), lookup);
        }
      }
      return brokenGate({
        locate: (run, request) => recorded.get(encode([run.proposal, request])) ?? locate(run, request),
      });
    });
    expect(
      survivors(fates).filter((field) => field.startsWith('LookupPerformed/data')).length,
    ).toBeGreaterThan(2);
  });
});
