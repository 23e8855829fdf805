import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { Zone } from '../../src/declarations/checklist.ts';
import { daysOf, epochSeconds, parseMoment, ZONE_MINUTES, zoneMinutes } from '../../src/gate/calendar.ts';

const epoch = (text: string, zone = 0): number =>
  epochSeconds(parseMoment(text) ?? expect.fail(`${text} is not read`), zone);

describe('the calendar', () => {
  // The platform's own clock arithmetic is the oracle; the calendar itself may not use it.
  law.prop([fc.integer({ min: -719528, max: 2932896 })])(
    'agrees with UTC days from year 0 to 9999',
    (days) => {
      const oracle = new Date(days * 86_400_000);
      const year = oracle.getUTCFullYear();
      expect(daysOf({ year, month: oracle.getUTCMonth() + 1, day: oracle.getUTCDate() })).toBe(days);
      const text = `${String(year).padStart(4, '0')}${oracle.toISOString().slice(-20, -14)}`;
      expect(parseMoment(text)).toEqual({ days, seconds: null, fraction: '', zone: null });
    },
  );

  law.prop([fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })])(
    'agrees with UTC seconds',
    (date) => {
      const text = date.toISOString();
      expect(epoch(text)).toBe((date.getTime() - (((date.getTime() % 1000) + 1000) % 1000)) / 1000);
    },
  );

  test.each([
    ['2024-05-15T15:00:00', 0],
    ['2024-05-15 15:00', 0],
    ['2024-05-15T15:00:00Z', 0],
    ['2024-05-15T15:00:00.250Z', 0],
    ['2024-05-15T17:00:00+02:00', 0],
    ['2024-05-15 10:00:00 EST', 0],
    ['2024-05-15T10:00:00-05:00', 0],
    ['2024-05-15 17:00:00CEST', 0],
    ['2024-05-15T10:00:00', -300],
  ])('%s under zone %s is one moment', (text, zone) => {
    expect(epoch(text, zone)).toBe(1715785200);
  });

  test.each([
    '2024-02-30',
    '2023-02-29',
    '1900-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-05-15T24:00:00',
    '2024-05-15T10:60',
    '2024-05-15T10:00:60Z',
    '2024-05-15T10:00:00 XYZ',
    '2024-05-15T10:00:00+25:00',
    '2024-05-15Z',
    '2024-5-15',
    '15.05.2024',
    '2024-05-15T10:00:00z',
    '2024-05-15T10',
    ' 2024-05-15',
    '2024-05-15\n',
  ])('%j is no moment', (text) => {
    expect(parseMoment(text)).toBeUndefined();
  });

  test('every zone a checklist may declare has an offset, and a region has none', () => {
    for (const zone of [...Object.keys(ZONE_MINUTES), '+05:30', '-00:00']) {
      expect(Zone.safeParse(zone).success).toBe(true);
      expect(zoneMinutes(zone)).toBeTypeOf('number');
    }
    expect(zoneMinutes('America/New_York')).toBeUndefined();
    expect(zoneMinutes('constructor')).toBeUndefined();
    expect(zoneMinutes('+05:30')).toBe(330);
    expect(Object.is(zoneMinutes('-00:00'), 0)).toBe(true);
  });
});
