import { describe, expect, it } from 'vitest';
import { EXECUTION_REFUSALS } from '../../src/events/execution.ts';
import { decide, type EarlierStart, type Facts, REFUSAL_RULES, saysOf } from '../../src/executor/decide.ts';
import { verdict } from '../projections/history.ts';

const RECORD = verdict();
const V = { event: 'v', at: '2026-05-01T10:00:00.000Z', record: RECORD };

/** Nothing speaks against it. */
const CLEAR: Facts = {
  newest: true,
  verdict: V,
  now: '2026-05-01T10:01:00.000Z',
  max_age: 600_000,
  starts: [],
  tool: { judged: RECORD.rests_on.tool, declared: RECORD.rests_on.tool },
  checklists: [{ judged: 'a', declared: 'a' }],
  settings: [{ judged: 2, found: 2 }],
  typed: 0,
  answered: 0,
  revoked: 0,
  abandoned: false,
  repeated: false,
  measured: 0,
  sealed: false,
  accepted: true,
};

const started = (change: Partial<EarlierStart>): Partial<Facts> => ({
  starts: [{ verdict: 'before', outcome: 'failed', triggered_since: false, ...change }],
});
const recorded = (change: Parameters<typeof verdict>[0]): Partial<Facts> => ({
  verdict: { ...V, record: verdict(change) },
});

const TABLE: readonly [string, Partial<Facts>, readonly string[]][] = [
  ['nothing speaks against it', {}, []],
  ['there is no verdict', { verdict: null }, ['no_verdict']],
  ['something is unknown', recorded({ kind: 'unknown', unknown_count: 1 }), ['not_executable']],
  ['the count says otherwise than the kind', recorded({ unknown_count: 1 }), ['not_executable']],
  ['no decision was made, which is not 0', recorded({ unknown_count: null }), ['not_executable']],
  [
    'something is unmet though the kind says executable',
    recorded({
      unmet: [{ slot: 'x', reason: 'condition_false', declared_by: 'system', requested_by: null }],
    }),
    ['not_executable'],
  ],
  [
    'it waits for its trigger',
    recorded({ kind: 'schedulable', phase: 'at_instruction' }),
    ['not_at_trigger'],
  ],
  [
    'it calls itself executable at the instruction',
    recorded({ phase: 'at_instruction' }),
    ['not_at_trigger'],
  ],
  [
    'it was unknown at the instruction',
    recorded({ kind: 'unknown', phase: 'at_instruction', unknown_count: 1 }),
    ['not_executable', 'not_at_trigger'],
  ],
  ['a newer run stands', { newest: false }, ['not_newest']],
  ['its verdict was started', started({ verdict: 'v', outcome: 'failed' }), ['consumed']],
  [
    'its verdict was started, and a trigger fired',
    started({ verdict: 'v', triggered_since: true }),
    ['consumed'],
  ],
  ['an earlier start succeeded', started({ outcome: 'succeeded' }), ['consumed']],
  ['an earlier start is open', started({ outcome: 'open' }), ['consumed']],
  ['nobody knows of an earlier start', started({ outcome: 'unknown' }), ['consumed']],
  ['an earlier start failed', started({ outcome: 'failed' }), []],
  ['what it rests on was measured since', { measured: 1 }, ['measured_since']],
  ['another call of the request sent the same', { repeated: true }, ['repeated']],
  [
    'a recurring trigger fired after it succeeded',
    started({ outcome: 'succeeded', triggered_since: true }),
    [],
  ],
  ['it is as old as it may be', { now: '2026-05-01T10:10:00.000Z' }, []],
  ['it is older', { now: '2026-05-01T10:10:00.001Z' }, ['too_old']],
  ['the clock is behind by a minute', { now: '2026-05-01T09:59:00.000Z' }, []],
  ['the clock is behind by more', { now: '2026-05-01T09:58:59.999Z' }, ['too_old']],
  ['the clock can’t be read', { now: 'soon' }, ['too_old']],
  [
    'the tool was redeclared',
    { tool: { judged: RECORD.rests_on.tool, declared: 'other' } },
    ['tool_redeclared'],
  ],
  [
    'the tool is declared nowhere',
    { tool: { judged: RECORD.rests_on.tool, declared: null } },
    ['tool_redeclared'],
  ],
  [
    'the verdict is of another tool than the run',
    { tool: { judged: 'x', declared: 'x' } },
    ['tool_redeclared'],
  ],
  [
    'a checklist was redeclared',
    {
      checklists: [
        { judged: 'a', declared: 'a' },
        { judged: 'b', declared: 'c' },
      ],
    },
    ['checklist_redeclared'],
  ],
  ['the user typed something', { typed: 1 }, ['typed_since']],
  ['the user answered something', { answered: 1 }, ['answered_since']],
  ['something was revoked', { revoked: 1 }, ['revoked_since']],
  ['a setting was changed', { settings: [{ judged: 2, found: 3 }] }, ['setting_changed']],
  ['a value is sealed', { sealed: true }, ['arguments_sealed']],
  ['the executor won’t', { accepted: false }, ['executor_declined']],
  ['the request was abandoned', { abandoned: true }, ['request_abandoned']],
];

describe('a decision', () => {
  it.each(TABLE)('where %s', (_, change, refused) => {
    expect(decide({ ...CLEAR, ...change })).toEqual({
      decision: refused.length === 0 ? 'execute' : 'refuse',
      refused,
    });
  });

  it('gives every reason, in the order of the list', () => {
    const { refused } = decide({
      ...CLEAR,
      ...recorded({ kind: 'unknown', phase: 'at_instruction', unknown_count: 2 }),
      ...started({ outcome: 'open' }),
      newest: false,
      now: '2026-05-02T10:00:00.000Z',
      tool: { judged: 'a', declared: 'b' },
      checklists: [{ judged: 'a', declared: null }],
      settings: [{ judged: 0, found: 1 }],
      typed: 1,
      answered: 1,
      revoked: 1,
      abandoned: true,
      sealed: true,
      repeated: true,
      measured: 1,
      accepted: false,
    });
    expect(refused).toEqual(EXECUTION_REFUSALS.filter((reason) => reason !== 'no_verdict'));
  });

  it('has one rule for each reason that the log may hold, and each is in the table', () => {
    expect(REFUSAL_RULES.map(({ reason }) => reason)).toEqual(EXECUTION_REFUSALS);
    const reached = new Set(TABLE.flatMap(([, , refused]) => refused));
    expect(EXECUTION_REFUSALS.filter((reason) => !reached.has(reason))).toEqual([]);
    for (const reason of EXECUTION_REFUSALS) expect(saysOf(reason)).not.toBe(reason);
  });

  it('bites: without any one rule something in the table would be executed', () => {
    for (const rule of REFUSAL_RULES) {
      const others = REFUSAL_RULES.filter((each) => each !== rule);
      const slips = TABLE.some(
        ([, change, refused]) =>
          refused.length > 0 && !others.some(({ applies }) => applies({ ...CLEAR, ...change })),
      );
      expect(slips, rule.reason).toBe(true);
    }
  });
});
