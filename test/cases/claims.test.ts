import { describe, expect, test } from 'vitest';
import { encode } from '../../src/events/canonical.ts';
import { Lookup, type LookupRequest, type Outcome } from '../../src/events/lookup.ts';
import type { Place } from '../../src/events/place.ts';
import { argumentsOf, step } from '../../src/gate/index.ts';
import { agent, answer, given, tool, user } from '../../src/testing/index.ts';
import { checklistFile, recorded } from './files.ts';

const ARGS = { amount: 300, from_account: 'AC-1', to_account: 'AC-9' };
const BALANCE = tool('get_balance', { account: 'AC-1' }, { account: 'AC-1', available: 900 });

/** A hook that reports a place for one slot, and leaves all else to the conversation. */
const reports = (slot: string, at: Place) => ({
  hook: (request: LookupRequest): Outcome | undefined =>
    'slot' in request.subject && request.subject.slot === slot && request.source === 'instruction'
      ? { said: 'claim', claims: [{ at }], also: 1 }
      : undefined,
});

describe('claims and counts', () => {
  const invented = given(
    [user('Transfer 300 from AC-1, please.'), agent('To AC-9, I suppose.'), BALANCE],
    checklistFile('bank'),
  );

  test.each<[string, Place, string]>([
    ['in what the agent wrote', { in: 'text', segment: 1, start: 3, end: 7 }, 'claim_untrusted'],
    ['where nothing stands', { in: 'text', segment: 0, start: 900, end: 904 }, 'claim_not_there'],
    ['in a segment that does not exist', { in: 'text', segment: 9, start: 0, end: 4 }, 'claim_not_there'],
    ['where another value stands', { in: 'text', segment: 0, start: 18, end: 22 }, 'differs_from_proposal'],
    ['that cuts a word', { in: 'text', segment: 0, start: 18, end: 21 }, 'claim_not_there'],
    ["in a tool's result", { in: 'json', segment: 2, of: 'result', pointer: '/account' }, 'claim_untrusted'],
    ['in an entry that is not there', { in: 'entry', entry: 0, pointer: '/value' }, 'claim_untrusted'],
  ])("28: a hook's claim %s confirms nothing", (_, place, reason) => {
    invented
      .with(reports('/to_account', place))
      .propose('transfer_funds', ARGS)
      .finds({
        kind: 'unknown',
        slots: { '/to_account': { state: 'unknown', route: 'ask_user', rejected: [reason as never] } },
      });
  });

  test('28: a claim without a place is not a lookup at all, and "I have found it" is no outcome', () => {
    const request = { subject: { slot: '/to_account' }, source: 'instruction', key: {} };
    const lookup = (outcome: unknown) => Lookup.safeParse({ request, by: 'hook', outcome }).success;
    expect(lookup({ said: 'claim', claims: [{}], also: 1 })).toBe(false);
    expect(lookup({ said: 'claim', claims: [], also: 0 })).toBe(false);
    expect(lookup({ said: 'claim', claims: [{ at: { in: 'text', value: 'AC-9' } }], also: 1 })).toBe(false);
    expect(lookup({ said: 'found', value: 'AC-9' })).toBe(false);
    expect(lookup({ said: 'absent' })).toBe(true);
  });

  test('28: a claim given straight to the gate is read at its place too', () => {
    const { run, lookups } = { run: invented.propose('transfer_funds', ARGS).run, lookups: [] as Lookup[] };
    lookups.push({
      request: { subject: { slot: '/to_account' }, source: 'instruction', key: {} },
      by: 'hook',
      outcome: { said: 'claim', claims: [{ at: { in: 'text', segment: 1, start: 3, end: 7 } }], also: 1 },
    });
    let next = step(run, lookups);
    while (!('verdict' in next)) {
      for (const request of next.need) lookups.push({ request, by: 'hook', outcome: { said: 'absent' } });
      next = step(run, lookups);
    }
    expect(next.verdict.kind).not.toBe('executable');
  });

  test('29: 500 in a tool’s result is not 500 in the user’s words', () => {
    recorded('29-five-hundred-twice', 'bank')
      .call(1)
      .finds({ kind: 'unknown', slots: { '/amount': 'differs_from_proposal', '/to_account': 'located' } });
  });

  test('29: an answer settles the slot that was asked for, not every slot of that value', () => {
    given([user('Transfer some money from AC-1 to AC-9.'), BALANCE], checklistFile('bank'))
      .with({ entries: [answer('/amount', 500)] })
      .propose('transfer_funds', { ...ARGS, amount: 500, note: '500' })
      .finds({ kind: 'unknown', unknown: ['/note'], slots: { '/amount': 'answered', '/note': 'not_said' } });
  });

  test('30: a tool that declares no arguments has no slots; one without a schema has an open question', () => {
    const erase = given([user('Delete everything.')], checklistFile('records'));
    const none = erase.propose('delete_all', {}).findsExecutable();
    expect(none.verdict().slots).toEqual([]);
    const unsaid = given([user('Delete everything.')], {
      grounds: 1,
      checklist: 'cases/bare',
      declared_by: 'system',
      intent: { unmarked_timing: 'immediate', act_words: { delete_all: ['delete'] } },
    });
    unsaid
      .propose('delete_all', {})
      .finds({ kind: 'definition_repair', unknown_count: 1, slots: { '/': 'schema_missing' } });
    unsaid
      .propose('delete_all', {}, { tool: { input_schema: { type: 'object', required: [] } } })
      .findsExecutable();
  });

  test('31: a count that was never made is not zero: such a verdict is never executable and gives no arguments', () => {
    const undecided = recorded('32-clean-up', 'records').call(0);
    undecided.finds({ kind: 'tool_undetermined', unknown_count: null, slots: null });
    const { run } = undecided;
    const verdict = undecided.verdict();
    expect(() => argumentsOf(run, verdict)).toThrow(/no arguments to execute/);
    // Even a record that says otherwise of itself gives none.
    expect(() => argumentsOf(run, { ...verdict, kind: 'executable' })).toThrow(/no arguments to execute/);
    expect(encode(verdict)).toContain('"unknown_count":null');
  });
});
