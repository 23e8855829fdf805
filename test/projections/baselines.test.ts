import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../src/log/index.ts';
import { type BaselineOptions, baselineOf } from '../../src/projections/index.ts';
import { type BaselinesState, foldBaselines, NO_BASELINES } from './fold-baselines.ts';
import {
  blank,
  failed,
  judged,
  known,
  lost,
  observed,
  reconciled,
  recorded,
  start,
  succeeded,
  unknown,
  uuid,
  verdict,
} from './history.ts';

const KEY = { action_key: { state: 'ok', key: 'k' } } as const;
const [ONE, TWO] = [uuid(0x10), uuid(0x11)];
const [START, AGAIN] = [uuid(0x20), uuid(0x21)];

function baseline(events: readonly NewEvent[], options?: BaselineOptions): string | undefined {
  const state = recorded(events).reduce<BaselinesState>(
    (before, one) => foldBaselines(before, one, options),
    NO_BASELINES,
  );
  return state.baselines.get('k')?.run_id;
}

describe('the baseline of an action key', () => {
  const table: readonly (readonly [string, readonly NewEvent[], string | undefined])[] = [
    [
      'is a run whose call succeeded',
      [...judged(ONE, verdict(), KEY), start(ONE, START), succeeded(START)],
      ONE,
    ],
    [
      'is one whose call was reconciled so',
      [...judged(ONE, verdict(), KEY), start(ONE, START), lost(START), reconciled(START, 'succeeded')],
      ONE,
    ],
    ['is never a run that was only judged', judged(ONE, verdict(), KEY), undefined],
    [
      'is never a start whose end nobody knows',
      [...judged(ONE, verdict(), KEY), start(ONE, START)],
      undefined,
    ],
    [
      'is never one that failed',
      [...judged(ONE, verdict(), KEY), start(ONE, START), failed(START)],
      undefined,
    ],
    [
      'is never one that ran without grounds',
      [...judged(ONE, blank(), KEY), start(ONE, START), succeeded(START)],
      undefined,
    ],
    ['is none without a key', [...judged(ONE), start(ONE, START), succeeded(START)], undefined],
    ['is never an observed call', [...judged(ONE, verdict(), KEY), observed()], undefined],
    [
      'is the last run, not the one whose outcome came last',
      [
        ...judged(ONE, verdict(), KEY),
        start(ONE, START),
        ...judged(TWO, verdict(), KEY),
        start(TWO, AGAIN),
        succeeded(AGAIN),
        reconciled(START, 'succeeded'),
      ],
      TWO,
    ],
  ];
  it.each(table)('%s', (_, events, run) => {
    expect(baseline(events)).toBe(run);
  });

  it('is an observed call only where that is asked for, and it was executable and succeeded', () => {
    const audit = { ...KEY, origin: { file: 'f', line: 1, message: 0 } };
    expect(baseline([...judged(ONE, verdict(), audit), observed()], { observed: true })).toBe(ONE);
    expect(baseline([...judged(ONE, blank(), audit), observed()], { observed: true })).toBeUndefined();
    const uncertain = [...judged(ONE, verdict(), audit), observed({ outcome: 'unknown' })];
    expect(baseline(uncertain, { observed: true })).toBeUndefined();
  });
});

describe('the values of a baseline', () => {
  const run = {
    action_key: 'k',
    call_id: 'c',
    run_id: ONE,
    stream: 'call/c',
    position: 0,
    run: { from: 0, to: 3 },
  };

  it('are the known values, each with the origin that the verdict recorded', () => {
    const found = verdict({
      slots: [
        known('/a', 'prior_state', 'instruction'),
        known('/b', 'user_answer', 'measured_data'),
        known('/c', 'prior_state', 'prior_state'),
        known('/lost'),
        known('condition', 'measured_data'),
        unknown('/d'),
      ],
    });
    const values: Record<string, number> = { '/a': 1, '/b': 2, '/c': 3, '/d': 4, condition: 5 };
    const resolved = baselineOf(run, () => ({
      verdict: found,
      valueOf: (slot) => (Object.hasOwn(values, slot) ? { plain: values[slot] as number } : undefined),
    }));
    expect(resolved?.slots).toEqual([
      { slot: '/a', value: { plain: 1 }, origin: 'instruction' },
      { slot: '/b', value: { plain: 2 }, origin: 'measured_data' },
      { slot: '/c', value: { plain: 3 }, origin: null },
    ]);
  });

  it('are none where the log no longer gives the run', () => {
    expect(baselineOf(run, () => null)).toBeNull();
  });
});
