import { describe, test } from 'vitest';
import type { LookupRequest, Outcome } from '../../src/events/lookup.ts';
import type { Place } from '../../src/events/place.ts';
import { agent, given, match, type Said, tool, user } from '../../src/testing/index.ts';
import { checklistFile } from '../cases/files.ts';

const ARGS = { amount: 300, from_account: 'AC-1', to_account: 'AC-9' };
const said = user('Transfer 300 from AC-1 to AC-9.');
const result = (segment: number, pointer = ''): Place => ({ in: 'json', segment, of: 'result', pointer });

/** A hook that answers for the balance with places. */
const measured = (...places: readonly [Place, ...Place[]]) => ({
  hook: (request: LookupRequest): Outcome | undefined => {
    const [first, ...rest] = places;
    return 'fact' in request.subject
      ? { said: 'claim', claims: [{ at: first }, ...rest.map((at) => ({ at }))], also: places.length }
      : undefined;
  },
});

describe("a hook's measurement", () => {
  const own = tool('get_balance', { account: 'AC-1' }, { account: 'AC-1', available: 900 });
  const bank = (...pieces: Said[]) => given([said, ...pieces], checklistFile('bank'));

  test('counts where the record of this account stands', () => {
    bank(own)
      .with(measured(result(1)))
      .propose('transfer_funds', ARGS)
      .findsExecutable();
  });

  test.each<[string, Said, Place]>([
    ['of another account', tool('get_balance', {}, { account: 'AC-2', available: 900 }), result(1)],
    ['of another tool', tool('get_limits', {}, { account: 'AC-1', available: 900 }), result(1)],
    [
      'that failed',
      tool('get_balance', {}, { account: 'AC-1', available: 900 }, { failed: true }),
      result(1),
    ],
    [
      'inside the record',
      tool('get_balance', {}, { account: 'AC-1', available: 900, a: { available: 9 } }),
      result(1, '/a'),
    ],
    [
      'that only echoes the request',
      tool('get_balance', { account: 'AC-1', available: 900 }, {}),
      { in: 'json', segment: 1, of: 'arguments', pointer: '' },
    ],
    ['that is not there', own, result(7)],
    [
      'in words of the agent',
      agent('{"account":"AC-1","available":900}'),
      { in: 'text', segment: 1, start: 0, end: 9 },
    ],
  ])('%s measures nothing', (_, piece, place) => {
    bank(piece)
      .with(measured(place))
      .propose('transfer_funds', ARGS)
      .finds({
        kind: 'unknown',
        slots: { covered: { reason: 'waits_for', route: 'system_lookup', waits_for: ['balance'] } },
      });
  });

  test('that a later one has overtaken measures nothing, and one that a write has made stale is unfinished', () => {
    const later = tool('get_balance', {}, { account: 'AC-1', available: 10 });
    bank(own, later)
      .with(measured(result(1)))
      .propose('transfer_funds', ARGS)
      .finds({ kind: 'unknown' });
    bank(own, tool('deposit', { from_account: 'AC-1' }, { done: true }))
      .with(measured(result(1)))
      .propose('transfer_funds', ARGS)
      .finds({ kind: 'unknown', slots: { covered: { route: 'system_lookup' } } });
  });

  test('may not leave out a record where all are taken', () => {
    const owed = (list: number[]) =>
      given(
        [
          user('Send it: 300 to AC-9.'),
          ...list.map((amount) => tool('get_debts', {}, { to: 'AC-9', amount })),
        ],
        `grounds: 1
checklist: test/debts
declared_by: system
intent: { unmarked_timing: immediate, act_words: { send: [send] } }
facts: { debts: { take: all, measured_by: [{ tool: get_debts, match: { result/to: /to } }] } }
tools:
  send:
    schema: { type: object, required: [to], properties: { to: { type: string } } }
    conditions: { small: { require: 'sum(debts.map(d, d.amount)) < 100' } }
`,
      );
    owed([10, 20])
      .with(measured(result(1), result(2)))
      .propose('send', { to: 'AC-9' })
      .findsExecutable();
    owed([10, 900])
      .with(measured(result(1)))
      .propose('send', { to: 'AC-9' })
      .finds({ kind: 'unknown' });
  });
});

describe("a hook's place of the act", () => {
  const at = (start: number, end: number) => ({
    entries: [match(true)],
    hook: (request: LookupRequest): Outcome | undefined =>
      'slot' in request.subject && request.subject.slot === 'act'
        ? { said: 'claim', claims: [{ at: { in: 'text', segment: 0, start, end } }], also: 1 }
        : undefined,
  });
  const moved = given(
    [user('Move 300 from AC-1 to AC-9 😀.'), tool('get_balance', {}, { account: 'AC-1', available: 900 })],
    checklistFile('bank'),
  );

  test('counts where the words stand, and is listed as judged', () => {
    moved
      .with(at(0, 4))
      .propose('transfer_funds', ARGS)
      .finds({
        kind: 'executable',
        intent: { act: { reads: 'Move' }, tool: 'judged' },
        reductions: ['unmarked_timing', 'judged_intent'],
      });
  });

  test.each([
    ['before the text', -3, 4],
    ['past its end', 0, 900],
    ['nowhere between', 4, 4],
    ['through half a character', 0, 28],
  ])('%s is none', (_, start, end) => {
    moved
      .with(at(start, end))
      .propose('transfer_funds', ARGS)
      .finds({ kind: 'intent_undetermined', slots: null, intent: { act: 'act_not_said' } });
  });
});
