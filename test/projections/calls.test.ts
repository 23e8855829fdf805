import { describe, expect, it } from 'vitest';
import { digestOf } from '../../src/events/digest.ts';
import type { NewEvent } from '../../src/log/index.ts';
import { isExecutable } from '../../src/projections/index.ts';
import {
  blank,
  CONVERSATION,
  event,
  failed,
  folded,
  judged,
  known,
  lost,
  ORIGIN,
  observed,
  reconciled,
  refused,
  rowFor,
  runStarted,
  start,
  succeeded,
  unknown,
  uuid,
  verdict,
} from './history.ts';

const RUN = uuid(0x10);
const OTHER = uuid(0x11);
const START = uuid(0x20);
const AGAIN = uuid(0x21);

describe('the row of a call', () => {
  it('holds the newest run, its arguments whole and the digest of its verdict', () => {
    const text = `${'long '.repeat(20_000)}end`;
    const found = verdict({ reductions: [{ kind: 'member', slot: '/amount', declared_by: 'system' }] });
    const { row, place } = folded(
      ...judged(OTHER, blank()),
      ...judged(RUN, found, {
        proposal: { received: null, prepared: { plain: { note: text, deep: [{ n: null }] } } },
        action_key: { state: 'ok', key: 'key-1' },
        origin: ORIGIN,
      }),
    );
    expect(row).toEqual({
      call_id: uuid(1),
      run_id: RUN,
      request_id: uuid(0xa0),
      action_key: 'key-1',
      tool: 'transfer',
      arguments: { note: text, deep: [{ n: null }] },
      phase: 'at_trigger',
      verdict: 'executable',
      exhausted: false,
      unknown_count: 0,
      unknown: [],
      unmet: [],
      reductions: found.reductions,
      outcome: 'not_executed',
      ran_without_grounds: false,
      gated: true,
      origin: ORIGIN,
      verdict_digest: digestOf(found),
    });
    expect(place).toEqual({
      stream: `call/${uuid(1)}`,
      position: 0,
      run: { from: 3, to: 6 },
      conversation: CONVERSATION,
    });
  });

  it('lists every unknown slot with its kind, once, and unmet ones apart', () => {
    const unmet = {
      slot: 'limit',
      reason: 'condition_false',
      declared_by: 'user',
      requested_by: null,
    } as const;
    const row = rowFor(
      ...judged(
        RUN,
        verdict({
          kind: 'unmet',
          slots: [
            known('/to'),
            unknown('/items/0/id'),
            unknown('balance', 'no_answer', 'system_lookup'),
            unknown('label:3', 'label_malformed', 'definition_repair'),
          ],
          unmet: [unmet],
        }),
      ),
    );
    expect(row.unknown).toEqual([
      { slot_id: '/items/0/id', kind: 'value', route: 'ask_user', reason: 'not_said' },
      { slot_id: 'balance', kind: 'condition', route: 'system_lookup', reason: 'no_answer' },
      { slot_id: 'label:3', kind: 'condition', route: 'definition_repair', reason: 'label_malformed' },
    ]);
    expect(row.unknown_count).toBe(row.unknown.length);
    expect(row.unmet).toEqual([{ slot_id: 'limit', reason: 'condition_false', declared_by: 'user' }]);
  });

  it.each([
    [
      'intent_undetermined',
      [unknown('when/scheduled', 'timing_detail_missing'), known('act')],
      'when/scheduled',
    ],
    ['tool_undetermined', [known('when'), known('act'), unknown('tool', 'other_act_said')], 'tool'],
  ] as const)('of %s lists what is open of the intent, with no count', (kind, intent, slot) => {
    const row = rowFor(...judged(RUN, verdict({ kind, intent: [...intent], slots: null, exhausted: true })));
    expect(row.unknown.map(({ slot_id, kind }) => [slot_id, kind])).toEqual([[slot, 'intent']]);
    expect([row.unknown_count, row.exhausted]).toEqual([null, true]);
  });

  it('has no arguments where they could not be read or are sealed', () => {
    const sealed = { sealed: { alg: 'sc1', c: '0', t: '0', k: 'k', type: 'json' } } as const;
    for (const prepared of [null, sealed]) {
      const proposal = { received: { plain: '{' }, prepared };
      expect(rowFor(...judged(RUN, blank(), { proposal })).arguments).toBeNull();
    }
    expect(rowFor(observed({ arguments: sealed })).arguments).toBeNull();
  });

  it('has no verdict of an earlier run while a newer one has none', () => {
    const row = rowFor(...judged(RUN, blank()), runStarted(OTHER));
    expect([row.run_id, row.verdict, row.unknown, row.verdict_digest]).toEqual([OTHER, null, [], null]);
  });

  it('is there for a call that no gate stood before', () => {
    const row = rowFor(
      observed({ tool: 'look_up', arguments: { plain: { q: 'x' } }, gated: false, origin: ORIGIN }),
    );
    expect(row).toMatchObject({
      run_id: null,
      verdict: null,
      unknown_count: null,
      tool: 'look_up',
      arguments: { q: 'x' },
      origin: ORIGIN,
      outcome: 'succeeded',
      gated: false,
      ran_without_grounds: false,
    });
  });
});

describe('the outcome', () => {
  const run = judged(RUN);
  const table: readonly (readonly [string, readonly NewEvent[], string])[] = [
    ['of a call that was denied is not_executed', [...judged(RUN, blank()), refused(RUN)], 'not_executed'],
    ['of a verdict that nobody acted on is not_executed', run, 'not_executed'],
    ['of a start without an end is unknown', [...run, start(RUN, START)], 'unknown'],
    ['of a timeout is unknown', [...run, start(RUN, START), lost(START)], 'unknown'],
    ['of a call that succeeded', [...run, start(RUN, START), succeeded(START)], 'succeeded'],
    ['of a call that failed', [...run, start(RUN, START), failed(START)], 'failed'],
    [
      'of one that was measured later is what was measured',
      [...run, start(RUN, START), lost(START), reconciled(START, 'succeeded')],
      'succeeded',
    ],
    [
      'of one that was reconciled as failed',
      [...run, start(RUN, START), reconciled(START, 'failed')],
      'failed',
    ],
    ['that is closed stays closed', [...run, start(RUN, START), failed(START), succeeded(START)], 'failed'],
    ['takes no end that names another start', [...run, start(RUN, START), succeeded(AGAIN)], 'unknown'],
    [
      'is that of the newest start, whenever an older one ends',
      [
        ...run,
        start(RUN, START),
        ...judged(OTHER),
        start(OTHER, AGAIN),
        succeeded(AGAIN),
        reconciled(START, 'failed'),
      ],
      'succeeded',
    ],
    ['of an observed call is what was observed', [...run, observed({ outcome: 'unknown' })], 'unknown'],
  ];
  it.each(table)('%s', (_, events, outcome) => {
    expect(rowFor(...events).outcome).toBe(outcome);
  });
});

describe('ran without grounds', () => {
  const audit = { origin: ORIGIN };
  const scheduled = verdict({ kind: 'schedulable', phase: 'at_instruction' });
  const table: readonly (readonly [string, readonly NewEvent[], boolean])[] = [
    ['an executable verdict that was carried out did not', [...judged(RUN), start(RUN, START)], false],
    ['a blocked call that never ran did not', [...judged(RUN, blank()), refused(RUN)], false],
    ['a start with a blank did', [...judged(RUN, blank()), start(RUN, START)], true],
    ['a start on a verdict for later did', [...judged(RUN, scheduled), start(RUN, START)], true],
    ['a start with no run at all did', [start(RUN, START)], true],
    ['it did even where it failed', [...judged(RUN, blank()), start(RUN, START), failed(START)], true],
    [
      'a start on a run that another superseded did',
      [...judged(RUN), ...judged(OTHER), start(RUN, START)],
      true,
    ],
    [
      'a start that names another verdict did',
      [...judged(RUN), start(RUN, START, { verdict: uuid(9) })],
      true,
    ],
    ['a second start on one verdict did', [...judged(RUN), start(RUN, START), start(RUN, AGAIN)], true],
    [
      'a good run later does not mend an earlier start',
      [...judged(RUN, blank()), start(RUN, START), ...judged(OTHER), start(OTHER, AGAIN)],
      true,
    ],
    [
      'nor does a later word that it is reversible',
      [...judged(RUN, blank()), start(RUN, START), ...judged(OTHER, verdict(), { gated: false })],
      true,
    ],
    ['a reversible start did not', [...judged(RUN, blank(), { gated: false }), start(RUN, START)], false],
    ['an observed call with no run did', [observed()], true],
    ['an observed call with an unknown outcome counts as ran', [observed({ outcome: 'unknown' })], true],
    ['an observed reversible call did not', [observed({ gated: false })], false],
    [
      'an audited call with an executable verdict did not',
      [...judged(RUN, verdict(), audit), observed()],
      false,
    ],
    ['an audited call with a blank did', [...judged(RUN, blank(), audit), observed()], true],
    [
      'an audit by other rules judges the same call anew',
      [...judged(RUN, blank(), audit), observed(), ...judged(OTHER, verdict(), audit)],
      false,
    ],
    [
      'an audit by stricter rules too',
      [...judged(RUN, verdict(), audit), observed(), ...judged(OTHER, blank(), audit)],
      true,
    ],
    [
      'an audit that finds it reversible leaves it out',
      [...judged(RUN, blank(), audit), observed({ gated: false })],
      false,
    ],
    ['a run after the fact that is no audit changes nothing', [observed(), ...judged(RUN)], true],
  ];
  it.each(table)('%s', (_, events, without) => {
    const row = rowFor(...events);
    expect(row.ran_without_grounds).toBe(without);
    if (without) expect(row.gated).toBe(true);
  });

  it.each([
    ['a blank', blank(), false],
    ['no count', verdict({ slots: null }), false],
    [
      'something unmet',
      verdict({ unmet: [{ slot: 'x', reason: 'declined', declared_by: 'user', requested_by: null }] }),
      false,
    ],
    ['the phase before the trigger', verdict({ phase: 'at_instruction' }), false],
    ['none of these', verdict(), true],
  ])('a verdict that says executable, with %s, is judged by what it holds', (_, found, expected) => {
    expect(isExecutable({ ...found, kind: 'executable' })).toBe(expected);
  });
});

describe('folding', () => {
  it('changes nothing for events that say nothing of the row, and never what it was given', () => {
    const before = folded(...judged(RUN), start(RUN, START));
    const copy = structuredClone(before);
    const incident = event('IncidentReported', {
      run: RUN,
      slots: [],
      text: { plain: 'wrong account' },
      by: null,
      happened_at: null,
    });
    const after = folded(...judged(RUN), start(RUN, START), incident);
    expect(after.row).toEqual(before.row);
    expect(before).toEqual(copy);
  });

  it('refuses an event that is not of its schema, with the place at fault', () => {
    const bad = { ...runStarted(RUN), data: { run: 7 } };
    expect(() => folded(bad)).toThrow(expect.objectContaining({ code: 'events/invalid' }));
  });
});
