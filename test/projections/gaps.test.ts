import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/events/json.ts';
import type { SlotState, Verdict } from '../../src/events/verdict.ts';
import { REASONS, ROUTES } from '../../src/events/vocabulary.ts';
import { gapsOf, ownerOf, patternOf } from '../../src/projections/index.ts';
import { blank, known, unknown, verdict } from './history.ts';

const call = (args: Json | null = null) => ({ call_id: 'c', tool: 'transfer', arguments: args });
const gaps = (found: Verdict, args: Json | null = null) => gapsOf(call(args), found).gaps;
const listed = (...slots: SlotState[]) => gaps(blank(...slots)).map(({ slot }) => slot);

describe('the owner of a blank', () => {
  it.each([
    ['not_said', 'ask_user', 'asking'],
    ['mixed_group', 'ask_user', 'asking'],
    ['differs_from_proposal', 'ask_user', 'asking'],
    ['no_source', 'definition_repair', 'integration'],
    ['unfinished', 'system_lookup', 'integration'],
    ['no_answer', 'system_lookup', 'integration'],
    ['now_unknown', 'system_lookup', 'integration'],
    ['lookup_failed', 'definition_repair', 'implementation'],
    ['measured_format', 'definition_repair', 'implementation'],
    ['action_key_failed', 'definition_repair', 'implementation'],
    ['expression_invalid', 'definition_repair', 'declarer'],
    ['expression_failed', 'definition_repair', 'declarer'],
    ['not_allowed_to_declare', 'definition_repair', 'declarer'],
    ['checklist_unsound', 'definition_repair', 'declarer'],
    ['label_malformed', 'definition_repair', 'declarer'],
    ['schema_missing', 'definition_repair', 'declarer'],
    ['schema_unreadable', 'definition_repair', 'declarer'],
    ['schema_unbounded', 'definition_repair', 'declarer'],
    ['waits_for', 'ask_user', 'asking'],
    ['waits_for', 'system_lookup', 'integration'],
    ['waits_for', 'definition_repair', 'implementation'],
    ['claim_has_wrong_key', 'system_lookup', 'undetermined'],
    ['arguments_unreadable', 'definition_repair', 'undetermined'],
  ] as const)('of %s by %s is %s', (reason, route, owner) => {
    expect(ownerOf({ intent: false, reason, route })).toBe(owner);
  });

  it('of an intent is conversation design, unless its lookup failed', () => {
    for (const reason of ['timing_undecidable', 'act_not_said', 'match_refused', 'other_act_said'] as const) {
      expect(ownerOf({ intent: true, reason, route: 'ask_user' })).toBe('conversation_design');
    }
    expect(ownerOf({ intent: true, reason: 'lookup_failed', route: 'definition_repair' })).toBe(
      'implementation',
    );
  });

  it('is somebody for every reason and route, and never an exception', () => {
    for (const reason of REASONS) {
      for (const route of [...ROUTES, null]) {
        expect(ownerOf({ intent: false, reason, route })).toMatch(/^[a-z_]+$/);
      }
    }
  });
});

describe('the gaps of a verdict', () => {
  it('are one row a blank, with kind, pattern and declarer', () => {
    const found = blank(
      known('/to'),
      unknown('/items/1/id', 'not_said', 'ask_user', { by: 'provider' }),
      unknown('fresh/1', 'no_answer', 'system_lookup'),
    );
    expect(gaps(found, { to: 'x', items: [{}, { id: 1 }] })).toEqual([
      {
        call_id: 'c',
        tool: 'transfer',
        slot: '/items/*/id',
        kind: 'value',
        owner: 'asking',
        reason: 'not_said',
        route: 'ask_user',
        declared_by: 'provider',
      },
      {
        call_id: 'c',
        tool: 'transfer',
        slot: 'fresh',
        kind: 'condition',
        owner: 'integration',
        reason: 'no_answer',
        route: 'system_lookup',
        declared_by: 'system',
      },
    ]);
  });

  it('count what waits for another blank only there, through any number of steps', () => {
    const wait = (slot: string, ...waits: string[]) => unknown(slot, 'waits_for', 'ask_user', { waits });
    expect(listed(unknown('/a'), wait('/b', '/a'), wait('c', '/b'), wait('d', 'fact', 'c'))).toEqual(['/a']);
  });

  it('keep what waits for something that is no listed blank', () => {
    const waiting = unknown('c', 'waits_for', 'system_lookup', { waits: ['account'] });
    expect(listed(unknown('/a'), waiting)).toEqual(['/a', 'c']);
  });

  it('leave out what waits for a fact that itself waits for the user', () => {
    const waiting = unknown('c', 'waits_for', 'ask_user', { waits: ['account'] });
    expect(listed(unknown('/a'), waiting)).toEqual(['/a']);
    expect(listed(waiting)).toEqual(['c']);
  });

  it('do not lose slots that wait for each other in a ring', () => {
    const wait = (slot: string, ...waits: string[]) => unknown(slot, 'waits_for', 'system_lookup', { waits });
    expect(listed(wait('/a', '/b'), wait('/b', '/a'), wait('/c', '/c'))).toEqual(['/a', '/b', '/c']);
  });

  it('hold nothing that is frozen until the trigger', () => {
    expect(listed(unknown('/a', 'not_said', 'ask_user', { pending: true }), unknown('/b'))).toEqual(['/b']);
  });

  it('of an undetermined intent are intent gaps', () => {
    const intent = [unknown('when', 'timing_undecidable'), known('act')];
    const found = verdict({ kind: 'intent_undetermined', slots: null, intent });
    expect(gaps(found).map(({ slot, kind, owner }) => [slot, kind, owner])).toEqual([
      ['when', 'intent', 'conversation_design'],
    ]);
  });

  it('name whoever declared what could not be read, and an action key that could not be built', () => {
    const defects = [{ at: 'sha256:x', reason: 'checklist_unsound', declared_by: 'user' } as const];
    const repair = { kind: 'definition_repair', slots: null } as const;
    expect(gaps(verdict({ ...repair, rule: 'V1', defects }))).toMatchObject([
      { slot: 'sha256:x', owner: 'declarer', declared_by: 'user' },
    ]);
    expect(gaps(verdict({ ...repair, rule: 'V4' }))).toMatchObject([
      { slot: 'action_key', owner: 'implementation' },
    ]);
  });

  it('are not the requirements that were not met: those stand apart', () => {
    const unmet = [
      { slot: 'limit/2', reason: 'condition_false', declared_by: 'user', requested_by: null } as const,
    ];
    expect(gapsOf(call(), verdict({ kind: 'unmet', unmet }))).toEqual({
      gaps: [],
      unmet: [
        { call_id: 'c', tool: 'transfer', slot: 'limit', reason: 'condition_false', declared_by: 'user' },
      ],
    });
  });
});

describe('the pattern of a slot', () => {
  it.each([
    ['/items/10/id', { items: [] }, '/items/*/id'],
    ['/by_year/2024/sum', { by_year: { 2024: { sum: 1 } } }, '/by_year/2024/sum'],
    ['/a~1b/0', { 'a/b': [1] }, '/a~1b/*'],
    ['/items/0/0', null, '/items/*/*'],
    ['/', null, '/'],
    ['balance', {}, 'balance'],
    ['balance/3', {}, 'balance'],
    ['label:3', {}, 'label:3'],
  ] as const)('of %s is the index of arrays left open', (slot, args, pattern) => {
    expect(patternOf(slot, args as Json | null)).toBe(pattern);
  });
});
