import { describe, expect, it } from 'vitest';
import { AT, agrees, found, NO_TIME, read, reader } from './reading.ts';

const date = reader('date');
const mdy = reader('mdy', { date: { order: 'mdy' } });
const dmy = reader('dmy', { date: { order: 'dmy' } });
const datetime = reader('datetime');
const eastern = reader('eastern', { datetime: { zone: 'EST' } });

describe('date reads calendar days', () => {
  it.each([
    '2024-05-20',
    'on 2024/5/20.',
    'May 20th, 2024',
    'May 20, 2024',
    'may 20 2024',
    '20 May 2024',
    'the 20th of May, 2024',
    'Monday, May 20, 2024',
    'Mon 20 May 2024',
    '5/20/2024',
    '20.5.2024',
    '2024년 5월 20일에 출발',
    '在2024年5月20日',
    '**May 20, 2024**',
  ])('%s', (text) => {
    expect(read(date, text)).toEqual(['2024-05-20']);
    expect(found(date, text, '2024-05-20')).toHaveLength(1);
    agrees(date, text, '2024-05-20', AT);
  });

  it.each([
    '2024-05-200',
    '2024-02-30',
    '2023-02-29',
    '2024-13-01',
    '12024-05-20',
    'id-2024-05-20',
    '2024-05-20T10:00:00Z',
    '5/6/2024',
    '5/20/24',
    'Tuesday, May 20, 2024',
    'Dismay 20, 2024',
    'May 20-25',
    'May 32',
    'May 2024',
    'next Monday',
    'someday after tomorrowland',
    '24/7',
    'version 5.20',
  ])('reads nothing in: %s', (text) => {
    expect(read(date, text)).toEqual([]);
    expect(found(date, text, '2024-05-20')).toEqual([]);
  });

  it('reads numeric dates in the declared order only', () => {
    expect(read(mdy, '5/6/2024 and 20/5/2024')).toEqual(['2024-05-06']);
    expect(read(dmy, '5/6/2024 and 5/20/2024')).toEqual(['2024-06-05']);
    expect(read(date, '5/5/2024')).toEqual(['2024-05-05']);
    expect(found(mdy, 'on 5/20', '2024-05-20')).toEqual(['5/20']);
    expect(found(date, 'on 5/20', '2024-05-20')).toEqual([]);
  });

  it('reads relative days against the time and zone of the segment', () => {
    const text = 'today, tomorrow, yesterday, the day after tomorrow, day before yesterday';
    expect(read(date, text)).toEqual(['2024-05-15', '2024-05-16', '2024-05-14', '2024-05-17', '2024-05-13']);
    expect(found(date, text, '2024-05-17')).toEqual(['the day after tomorrow']);
    expect(read(date, text, NO_TIME)).toEqual([]);
    agrees(date, text, '2024-05-16', AT);
    const late = { at: '2024-12-31T23:30:00-05:00', zone: 'UTC' };
    expect(read(date, "Today's; tomorrow", late)).toEqual(['2025-01-01', '2025-01-02']);
    expect(read(date, 'today', { at: '2024-03-01T00:30:00Z', zone: '-05:00' })).toEqual(['2024-02-29']);
    expect(read(date, 'today', { at: '2024-03-01', zone: 'UTC' })).toEqual([]);
    expect(read(date, 'today', { at: '2024-03-01T00:30:00', zone: '-05:00' })).toEqual(['2024-03-01']);
  });

  it('takes a date without a year as one of the year of the segment, and never offers it', () => {
    expect(found(date, 'on May 20th', '2024-05-20')).toEqual(['May 20th']);
    expect(found(date, 'on May 20th', '2025-05-20')).toEqual([]);
    expect(found(date, 'Monday, May 20', '2024-05-20')).toEqual(['Monday, May 20']);
    expect(found(date, 'Friday, May 20', '2024-05-20')).toEqual([]);
    expect(found(date, '5월 20일', '2024-05-20')).toEqual(['5월 20일']);
    expect(read(date, 'on May 20th')).toEqual([]);
    agrees(date, 'on May 20th', '2024-05-20', AT);
  });

  it('finds a date without a year in any year where the time is unknown', () => {
    expect(found(date, 'on 20 May', '2031-05-20', NO_TIME)).toEqual(['20 May']);
    expect(found(date, 'on 21 May', '2031-05-20', NO_TIME)).toEqual([]);
    expect(read(date, 'on 20 May', NO_TIME)).toEqual([]);
    expect(date.readAt('20 May', { start: 0, end: 6 }, NO_TIME)).toBe('--05-20');
    expect(date.same('--05-20', '2031-05-20')).toBe(true);
    expect(date.same('--05-20', '2031-05-21')).toBe(false);
    expect(date.same('--05-20', '--05-20')).toBe(true);
    expect(date.same('05-20', '05-20')).toBe(false);
    expect(date.same(5, 5)).toBe(false);
    expect(date.fromJson('20 May', NO_TIME)).toBeUndefined();
    agrees(date, 'Feb 29', '2024-02-29', NO_TIME);
    expect(found(date, 'Feb 30', '2024-02-29', NO_TIME)).toEqual([]);
  });

  it('reads the date within a date that names its weekday', () => {
    expect(date.readAt('Monday, May 20, 2024', { start: 8, end: 20 }, AT)).toBe('2024-05-20');
    expect(date.readAt('Monday, May 20, 2024', { start: 8, end: 14 }, AT)).toBeUndefined();
    expect(date.fromJson('May 20, 2024', AT)).toBe('2024-05-20');
    expect(date.fromJson('2024-05-20', NO_TIME)).toBe('2024-05-20');
    expect(date.fromJson('2024-05-20 ', NO_TIME)).toBeUndefined();
    expect(date.fromJson(20240520, NO_TIME)).toBeUndefined();
  });
});

describe('datetime reads ISO-like times', () => {
  it.each([
    ['2024-05-15T15:00:00Z', '2024-05-15T15:00:00+00:00'],
    ['2024-05-15 15:00:00 EST', '2024-05-15T15:00:00-05:00'],
    ['2024-05-15 15:00', '2024-05-15T15:00:00-05:00'],
    ['2024-05-15T15:00:00.250+09:00', '2024-05-15T15:00:00.25+09:00'],
    ['2024-05-15T15:00:00+0530', '2024-05-15T15:00:00+05:30'],
    ['2024-05-15, 15:00', '2024-05-15T15:00:00-05:00'],
  ])('%s', (text, value) => {
    expect(read(datetime, `at ${text}.`)).toEqual([value]);
    agrees(datetime, `at ${text}.`, value, AT);
  });

  it.each([
    '2024-05-15',
    '2024-05-15T24:00:00Z',
    '2024-02-30T10:00:00Z',
    '2024-05-15T10:60:00Z',
    '2024-05-15T10:00:60Z',
    '2024-05-15 03:00 PM',
    '2024-05-15 03:00 pm',
    '2024-05-15 03:00 KST',
    '2024-05-15 03:00 America/New_York',
    '2024-05-15T10:00:00+99:00',
    'x2024-05-15T10:00:00Z',
  ])('reads nothing in: %s', (text) => {
    expect(read(datetime, text)).toEqual([]);
  });

  it('compares instants', () => {
    expect(datetime.same('2024-05-15T15:00:00Z', '2024-05-15T10:00:00-05:00')).toBe(true);
    expect(datetime.same('2024-05-16T00:30:00+01:00', '2024-05-15T23:30:00.0Z')).toBe(true);
    expect(datetime.same('2024-05-15T15:00:00Z', '2024-05-15T15:00:00.1Z')).toBe(false);
    expect(datetime.same('2024-05-15T15:00:00', '2024-05-15T15:00:00')).toBe(false);
    expect(found(datetime, 'at 2024-05-15 15:00', '2024-05-15T20:00:00Z')).toEqual(['2024-05-15 15:00']);
  });

  it('lets a declared zone stand before that of the context', () => {
    expect(read(eastern, '2024-05-15 15:00', NO_TIME)).toEqual(['2024-05-15T15:00:00-05:00']);
    expect(read(datetime, '2024-05-15 15:00', NO_TIME)).toEqual(['2024-05-15T15:00:00+00:00']);
    expect(read(datetime, '2024-05-15 15:00', { at: null, zone: 'Mars' })).toEqual([]);
  });
});
