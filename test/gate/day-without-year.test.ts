import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/events/lookup.ts';
import { given, user } from '../../src/testing/index.ts';
import { found, reader } from './readers/reading.ts';

const DAY = (order: string) => `grounds: 1
checklist: test/later
declared_by: system
zone: "-05:00"
intent: { timing: { scheduled: { words: ["on", "for"], detail: ${order === '' ? 'date' : 'day'} } }, act_words: { send: [send] } }
readers: { day: { date: { order: ${order === '' ? 'dmy' : order} } } }
tools: { send: { schema: { type: object } } }
`;

/** Said at `at`, with a hook that points at the words for the day: rules alone never take a day without a year for a time. */
function scheduled(words: string, at: string | undefined, day: string, order = ''): string {
  const start = words.indexOf(day);
  const place = { in: 'text' as const, segment: 0, start, end: start + day.length };
  const claim: Outcome = { said: 'claim', claims: [{ at: place }], also: 1 };
  const { intent } = given([user(words, at === undefined ? {} : { at })], DAY(order))
    .with({
      phase: 'at_instruction',
      now: null,
      hook: ({ subject }) => ('slot' in subject && subject.slot === 'when/scheduled' ? claim : undefined),
    })
    .propose('send', {})
    .verdict();
  const detail = intent.find(({ slot }) => slot === 'when/scheduled');
  return detail === undefined ? 'none' : 'reason' in detail ? detail.reason : 'none';
}

describe('a day without a year, for when a call is to be made,', () => {
  test.each([
    ['send it on Jan 5', '2024-12-20T12:00:00Z', 'Jan 5', 'timing_detail_missing'],
    ['send it on Dec 19', '2024-12-20T12:00:00Z', 'Dec 19', 'timing_detail_missing'],
    ['send it on Friday, Jan 5', '2024-12-20T12:00:00Z', 'Friday, Jan 5', 'timing_detail_missing'],
    ['send it on Friday, Jan 5', '2024-12-20T12:00:00Z', 'Jan 5', 'timing_detail_missing'],
    ['send it on 1월 5일', '2024-12-20T12:00:00Z', '1월 5일', 'timing_detail_missing'],
    ['send it on Jan 5', undefined, 'Jan 5', 'timing_detail_missing'],
    ['send it on Dec 20', '2024-12-20T12:00:00Z', 'Dec 20', 'located'],
    ['send it on Dec 21', '2024-12-20T12:00:00Z', 'Dec 21', 'located'],
    // The day before, by the clock of the checklist's zone.
    ['send it on Dec 20', '2024-12-21T03:00:00Z', 'Dec 20', 'located'],
    ['send it on Dec 20', '2024-12-21T05:00:00Z', 'Dec 20', 'timing_detail_missing'],
    // Who says the year says the day, and is taken at their word.
    ['send it on Jan 5, 2024', '2024-12-20T12:00:00Z', 'Jan 5, 2024', 'located'],
    ['send it on Jan 5, 2025', '2024-12-20T12:00:00Z', 'Jan 5, 2025', 'located'],
    ['send it on 2024-01-05', undefined, '2024-01-05', 'located'],
    ['the order is for tomorrow, send it', '2024-12-20T12:00:00Z', 'tomorrow', 'located'],
  ])(
    'says when only where it is not past as that of the message’s year: “%s” at %s',
    (words, at, day, reason) => {
      expect(scheduled(words, at, day)).toBe(reason);
    },
  );

  test('in numbers of a declared order likewise', () => {
    expect(scheduled('send it on 1/5', '2024-12-20T12:00:00Z', '1/5', 'mdy')).toBe('timing_detail_missing');
    expect(scheduled('send it on 12/24', '2024-12-20T12:00:00Z', '12/24', 'mdy')).toBe('located');
  });

  test('is not found by rules at all', () => {
    given([user('send it on Dec 24', { at: '2024-12-20T12:00:00Z' })], DAY(''))
      .with({ phase: 'at_instruction' })
      .propose('send', {})
      .finds({ kind: 'intent_undetermined', intent: { 'when/scheduled': 'timing_detail_missing' } });
  });
});

describe('a day without a year, as a value,', () => {
  const said = { at: '2024-12-20T12:00:00Z', zone: '-05:00' };

  test.each([
    ['Jan 5', '2024-01-05', 1],
    ['Jan 5', '2025-01-05', 0],
    ['Dec 24', '2024-12-24', 1],
    ['Dec 24', '2025-12-24', 0],
  ])('is that of the message’s year and no other: “%s” is %s %i times', (words, value, times) => {
    expect(found(reader('date'), `on ${words}`, value, said)).toHaveLength(times);
  });
});
