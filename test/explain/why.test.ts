import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isGroundsError } from '../../src/errors.ts';
import {
  eventsBehind,
  explain,
  explanationSchema,
  renderEvents,
  renderWhy,
  shownEvent,
} from '../../src/explain/index.ts';
import { Explanation } from '../../src/explain/schema.ts';
import type { StoredRow, SyncLog } from '../../src/log/index.ts';
import { defer, trigger } from '../../src/preflight/deferral.ts';
import { blanksOf } from '../../src/projections/index.ts';
import { scene as asked } from '../preflight/asked.ts';
import { equalReplay, type Recorded, recorded } from './bank.ts';
import { foldCall } from './fold.ts';
import { falseQuotes, placesIn } from './quotes.ts';
import { SCENES } from './scenes.ts';

function scene(name: string): Recorded {
  const { told, options } = SCENES[name] as (typeof SCENES)[string];
  return recorded(told, options);
}

function lastOf({ calls }: Recorded): Recorded['calls'][number] {
  return calls.at(-1) as Recorded['calls'][number];
}

function explained(name: string) {
  const all = scene(name);
  const { place, row } = lastOf(all);
  return explain(all.log, place, row);
}

/** The same log, seen as if some rows read otherwise. */
function changed(log: SyncLog, change: (row: StoredRow) => StoredRow | null): SyncLog {
  return {
    ...log,
    *readSync(query) {
      for (const page of log.readSync(query)) yield page.flatMap((row) => change(row) ?? []);
    },
  };
}

describe('explain', () => {
  it.each(Object.keys(SCENES))('quotes what the log holds at each place: %s', (name) => {
    const all = scene(name);
    for (const { place, row } of all.calls) {
      const explanation = explain(all.log, place, row);
      expect(falseQuotes(all.log, explanation)).toEqual([]);
    }
  });

  it.each(Object.keys(SCENES))('counts the blanks that gaps counts, for the same owners: %s', (name) => {
    const all = scene(name);
    for (const { place, row } of all.calls) {
      let counted: unknown[] = [];
      for (const page of all.log.readSync({ stream: place.stream, types: ['VerdictRecorded'] })) {
        for (const { event } of page) {
          const { verdict } = event.data as { verdict: Parameters<typeof blanksOf>[0] };
          counted = blanksOf(verdict).map(({ slot, kind, owner }) => ({ slot, kind, owner }));
        }
      }
      expect(explain(all.log, place, row).gaps).toEqual(counted);
    }
  });

  it.each([
    ['INPUT_TAMPERED', 'changed', 'THE RECORD WAS CHANGED: '],
    ['VERDICT_DIFFERS', 'does_not_replay', 'DOES NOT REPLAY: '],
    ['LOOKUP_MISSING', 'does_not_replay', 'DOES NOT REPLAY: '],
  ] as const)('says before the conclusion what replaying found: %s', (finding, state, says) => {
    const all = scene('without-grounds');
    const { place, row } = lastOf(all);
    const replay = () => ({ ...equalReplay(row), finding });
    const explanation = explain(all.log, place, row, { replay });
    expect(explanation.headline.record?.state).toBe(state);
    const lines = renderWhy(explanation, { width: 120, color: false }).split('\n');
    expect([lines[1]?.startsWith(says), lines[2]?.startsWith('RAN WITHOUT GROUNDS')]).toEqual([true, true]);
  });

  it('quotes whole in JSON what the text cuts', () => {
    const long = `${'a'.repeat(400)}`;
    const all = recorded([
      ['user', `Send $5 from ${long} to NL-1`],
      { call: 'transfer', args: { from_account: long, to_account: 'NL-1', amount: 5 } },
    ]);
    const { place, row } = lastOf(all);
    const explanation = explain(all.log, place, row);
    const slot = explanation.slots?.find(({ id }) => id === '/from_account');
    expect(slot?.where?.quoted).toBe(long);
    const text = renderWhy(explanation, { width: 100, color: false });
    expect(text).not.toContain(long);
    expect(text).toContain('…  marks what was cut here');
  });

  it('counts messages from 1 and keeps the index from 0', () => {
    const where = explained('good-grounds').act?.where;
    expect(where).toMatchObject({
      message: 2,
      message_index: 1,
      segment: 1,
      start: 14,
      end: 18,
      quoted: 'send',
    });
  });

  it('says where an invented value stands: nowhere, only in the agent’s words, or in a result', () => {
    const args = (to_account: string) => ({ from_account: 'acct-1', to_account, amount: 5 });
    const carried = (...told: Parameters<typeof recorded>[0]) => {
      const all = recorded([['user', 'Send $5 from acct-1'], ...told]);
      const { place, row } = lastOf(all);
      return explain(all.log, place, row).slots?.find(({ id }) => id === '/to_account')?.carried;
    };
    expect(carried({ call: 'transfer', args: args('X-99') })).toMatchObject({ stands: 'nowhere', where: [] });
    expect(carried(['assistant', 'I use X-99.'], { call: 'transfer', args: args('X-99') })).toMatchObject({
      stands: 'agent_only',
      where: [{ in: 'text', quoted: 'X-99', message: 2 }],
    });
    expect(
      carried(
        { call: 'get_account', args: { account_id: 'acct-1' }, result: { other: 'X-99' } },
        { call: 'transfer', args: args('X-99') },
      ),
    ).toMatchObject({
      stands: 'tool_result',
      where: [{ in: 'json', pointer: '/other', tool: 'get_account' }],
    });
  });

  it('lists what a condition was run over, its named parts worked out', () => {
    const total = explained('mixed-group').conditions?.find(({ id }) => id === 'covered');
    expect(total?.define).toEqual({ total: 'sum(args.payments.map(p, p.amount))' });
    expect(total?.reads.map(({ name, value }) => [name, value])).toEqual([
      ['/payments/0/amount', 50],
      ['/payments/1/amount', 100],
      ['account/available', 812],
      ['total', 150],
    ]);
  });

  it('says who asked for what a limit forbids, and whose limit it is', () => {
    const limit = explained('without-grounds').conditions?.find(({ id }) => id === 'limit');
    expect(limit).toMatchObject({ state: 'unmet', declared_by: 'user', checklist: 'user/limits' });
    expect(limit?.requested_by?.quoted).toBe('$500');
  });

  it('reads at most three times the rows that are the run’s own', () => {
    const all = scene('good-grounds');
    let read = 0;
    const counted = changed(all.log, (row) => {
      read++;
      return row;
    });
    const { place, row } = lastOf(all);
    const explanation = explain(counted, place, row);
    // Its own: its events, the segments it saw and its result, the tool, the checklist.
    const own = explanation.call.events + 6 + 1 + 2;
    expect(read).toBeLessThanOrEqual(3 * own);
    expect(read).toBe(own);
  });

  it('explains what is sealed without showing it', () => {
    const all = scene('without-grounds');
    const seal = { sealed: { alg: 'sc1', c: '00', t: '00', k: 'k1', type: 'text' } };
    const log = changed(all.log, (row) => {
      if (row.type !== 'SegmentAdded') return row;
      const data = row.event.data as { segment: { body: unknown } };
      const event = { ...row.event, data: { ...data, segment: { ...data.segment, body: seal } } };
      return {
        position: row.position,
        stream: row.stream,
        version: row.version,
        type: row.type,
        bytes: row.bytes,
        leaf: row.leaf,
        event,
      };
    });
    const { place, row } = lastOf(all);
    const explanation = explain(log, place, row);
    const quotes = placesIn(explanation);
    expect(quotes.length).toBeGreaterThan(3);
    expect(quotes.every(({ sealed, quoted }) => sealed && quoted === null)).toBe(true);
    expect(renderWhy(explanation, { width: 100, color: false })).toContain(
      'sealed or erased, message 2:12–16',
    );
  });

  it('says what is missing where the log does not hold what the verdict rested on', () => {
    const all = scene('good-grounds');
    const log = changed(all.log, (row) => (row.type === 'ChecklistDeclared' ? null : row));
    const { place, row } = lastOf(all);
    let caught: unknown;
    try {
      explain(log, place, row);
    } catch (error) {
      caught = error;
    }
    expect(isGroundsError(caught) && caught.code).toBe('explain/input-missing');
  });

  it('says who answered, how that is known, and what was asked', () => {
    const all = scene('without-grounds');
    const { place, row } = lastOf(all);
    const user = '00000000-0000-4000-8000-0000000000aa';
    const rewritten = (of: StoredRow, data: unknown, type = of.type, id = of.event.id): StoredRow => ({
      position: of.position,
      stream: of.stream,
      version: of.version,
      type,
      bytes: of.bytes,
      leaf: of.leaf,
      event: { ...of.event, id, type, data },
    });
    const entry = {
      kind: 'answer',
      slot: '/to_account',
      value: { plain: '110-22-3344' },
      none: false,
      candidate: null,
    };
    const answered = changed(all.log, (each) => {
      const data = each.event.data as Record<string, unknown>;
      if (each.type === 'RunStarted')
        return rewritten(each, { ...data, entries: [{ event: 'answer-1', entry }] });
      if (each.type !== 'VerdictRecorded') return each;
      const verdict = data.verdict as { slots: { slot: string }[] };
      const known = {
        state: 'known',
        slot: '/to_account',
        declared_by: 'system',
        rule: 'S2',
        rejected: [],
        source: 'user_answer',
        origin: 'user_answer',
        reason: 'answered',
        place: { in: 'entry', entry: 0, pointer: '/value' },
        by: null,
        also: 1,
      };
      const slots = verdict.slots.map((each) => (each.slot === '/to_account' ? known : each));
      return rewritten(each, { ...data, verdict: { ...verdict, slots } });
    });
    const [first] = [...all.log.readSync({ stream: place.stream })].flat() as [StoredRow];
    const log: SyncLog = {
      ...answered,
      *readSync(query) {
        if (query.types?.includes('AnswerReceived') !== true) return yield* answered.readSync(query);
        const question = { text: { plain: 'To which account?' } };
        const answer = { question: 'question-1', by: { user, known_by: 'form', said: null } };
        yield [
          rewritten(first, question, 'QuestionAsked', 'question-1'),
          rewritten(first, answer, 'AnswerReceived', 'answer-1'),
        ];
      },
    };
    const explanation = explain(log, place, row);
    expect(explanation.slots?.find(({ id }) => id === '/to_account')?.where).toMatchObject({
      in: 'entry',
      kind: 'answer',
      quoted: '110-22-3344',
      by: { user, known_by: 'form' },
      question: 'To which account?',
    });
    const text = renderWhy(explanation, { width: 200, color: false });
    expect(text).toContain(`answer by ${user} (known by: form) to “To which account?”`);
  });

  it('says that it was not replayed unless it was', () => {
    const all = scene('good-grounds');
    const { place, row } = lastOf(all);
    expect(explain(all.log, place, row).replay).toBeNull();
    const differs = { ...equalReplay(row), finding: 'VERDICT_DIFFERS' as const, path: '/kind' };
    const explanation = explain(all.log, place, row, { replay: () => differs });
    expect(renderWhy(explanation, { width: 120, color: false })).toContain('VERDICT_DIFFERS at /kind');
  });

  it('reads as docs/why.md shows it', () => {
    const all = scene('without-grounds');
    const { place, row } = lastOf(all);
    const text = renderWhy(explain(all.log, place, row), { width: 100, color: false });
    const shownPart = text.slice(0, text.indexOf('\n\n  verdict'));
    expect(readFileSync(new URL('../../docs/why.md', import.meta.url), 'utf8')).toContain(shownPart);
  });

  it('publishes a JSON Schema', () => {
    expect(explanationSchema()).toMatchObject({ title: 'Explanation', type: 'object' });
  });
});

describe('what is beside it', () => {
  it('shows the events behind a call, one line each', () => {
    const all = scene('tool-undetermined');
    const { place } = lastOf(all);
    const events = eventsBehind(all.log, place);
    expect(events.map(({ type }) => type)).toEqual([
      'RunStarted',
      'LookupPerformed',
      'LookupPerformed',
      'VerdictRecorded',
      'CallObserved',
    ]);
    expect(events).toEqual(eventsBehind(all.log, place, { all: true }));
    const text = renderEvents(events.map(shownEvent), { width: 80 });
    expect(text.split('\n').length).toBe(6);
    expect(text).toMatch(/VerdictRecorded +tool_undetermined \(V6\)/);
    expect(text).not.toMatch(/ $/m);
  });
});

describe('why of a call that was kept for later', () => {
  it('shows the words that it waited by, and what fired, when', async () => {
    const { around, proposed, judge } = await asked('Send 50 to B-2 on 2026-03-01.', {
      to: 'B-2',
      amount: 50,
    });
    const told = () => {
      const { place, row } = foldCall(around.log, proposed.call);
      return explain(around.log, place, row);
    };
    const judged = await judge({ phase: 'at_instruction' });
    expect(told().when).toMatchObject({ timing: 'scheduled', trigger: null });
    await defer(around, judged);
    await trigger(around, { call: proposed.call, by: 'clock' });
    const explanation = told();
    expect(explanation.when).toMatchObject({
      timing: 'scheduled',
      reason: 'carried',
      trigger: { by: 'clock', at: '2026-03-02T11:00:00.000Z', until: { quoted: '2026-03-01', typed: true } },
    });
    expect(falseQuotes(around.log, explanation)).toEqual([]);
    expect(Explanation.parse(explanation)).toEqual(explanation);
    expect(renderWhy(explanation, { width: 100, color: false })).toContain(
      '  when   scheduled  “2026-03-01” message 1:18–28;  trigger fired by clock 2026-03-02 11:00:00Z\n',
    );
  });

  it('names what fired where the deferral held no words', async () => {
    const { around, proposed, judge } = await asked('Send 50 to B-2 once it arrived.', {
      to: 'B-2',
      amount: 50,
    });
    await defer(around, await judge({ phase: 'at_instruction' }));
    await trigger(around, { call: proposed.call, by: 'event' });
    const unsaid = changed(around.log, (row) =>
      row.type === 'CallDeferred'
        ? { ...row, event: { ...row.event, data: { ...(row.event.data as object), until: null } } }
        : row,
    );
    const { place, row } = foldCall(unsaid, proposed.call);
    expect(renderWhy(explain(unsaid, place, row), { width: 100, color: false })).toContain(
      '  when   conditional  trigger fired by event 2026-03-02 11:00:00Z\n',
    );
  });
});
