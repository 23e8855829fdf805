/** Calendar days and fixed offsets, as far as the readers need them: proleptic Gregorian, years 0 to 9999. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

export const monthLength = (year: number, month: number): number =>
  (LENGTHS[month - 1] ?? 0) + (month === 2 && isLeap(year) ? 1 : 0);

export const isDay = ({ year, month, day }: Day): boolean =>
  year >= 0 && year <= 9999 && day >= 1 && day <= monthLength(year, month);

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

/** `YYYY-MM-DD`. */
export const formatDay = ({ year, month, day }: Day): string =>
  `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;

export function shiftDay(from: Day, by: number): Day {
  let { year, month, day } = from;
  for (let i = 0; i < by; i++) {
    if (++day <= monthLength(year, month)) continue;
    day = 1;
    if (++month > 12) [month, year] = [1, year + 1];
  }
  for (let i = 0; i > by; i--) {
    if (--day >= 1) continue;
    if (--month < 1) [month, year] = [12, year - 1];
    day = monthLength(year, month);
  }
  return { year, month, day };
}

const quotient = (a: number, b: number): number => (a - (a % b)) / b;

/** Days since 0000-01-01. */
export function dayNumber({ year, month, day }: Day): number {
  const leaps = quotient(year + 3, 4) - quotient(year + 99, 100) + quotient(year + 399, 400);
  let days = 365 * year + leaps + day - 1;
  for (let m = 1; m < month; m++) days += monthLength(year, m);
  return days;
}

/** 0 is Sunday. */
export const weekdayOf = (day: Day): number => (dayNumber(day) + 6) % 7;

const NAMED: Readonly<Record<string, number>> = {
  Z: 0,
  z: 0,
  UTC: 0,
  GMT: 0,
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  CET: 60,
  CEST: 120,
};
const OFFSET = /^([+-])([01][0-9]|2[0-3]):?([0-5][0-9])$/;

/** Minutes east of UTC, of a fixed offset or one of the declared abbreviations; null for all else. */
export function zoneMinutes(zone: string): number | null {
  if (Object.hasOwn(NAMED, zone)) return NAMED[zone] ?? null;
  const parts = OFFSET.exec(zone);
  if (parts === null) return null;
  const minutes = Number(parts[2]) * 60 + Number(parts[3]);
  return parts[1] === '-' && minutes > 0 ? -minutes : minutes;
}

export function formatZone(minutes: number): string {
  const size = minutes < 0 ? -minutes : minutes;
  return `${minutes < 0 ? '-' : '+'}${pad(quotient(size, 60), 2)}:${pad(size % 60, 2)}`;
}

export interface Moment extends Day {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Digits after the second's point, without trailing zeros. */
  readonly fraction: string;
  /** Minutes east of UTC; null where none was written. */
  readonly zone: number | null;
}

/** ISO 8601 with `T` or spaces, seconds and zone optional. Used anchored and within text. */
export const MOMENT_PATTERN =
  '([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt]|,? +)([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,12}))?)?( ?(?:[Zz]|[+-][0-9]{2}:?[0-9]{2}|(?:UTC|GMT|EST|EDT|CST|CDT|MST|MDT|PST|PDT|CEST|CET))(?![A-Za-z0-9]))?';
const MOMENT = new RegExp(`^${MOMENT_PATTERN}$`);

/** From a match of the pattern; null where there is no such day or time. */
export function momentOf(match: RegExpExecArray | RegExpMatchArray): Moment | null {
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone] = match;
  const moment: Moment = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    fraction: fraction.replace(/0+$/, ''),
    zone: zone === undefined ? null : zoneMinutes(zone.trim()),
  };
  const sound = isDay(moment) && moment.hour < 24 && moment.minute < 60 && moment.second < 60;
  return sound && (zone === undefined || moment.zone !== null) ? moment : null;
}

export function parseMoment(text: string): Moment | null {
  const match = MOMENT.exec(text);
  return match === null ? null : momentOf(match);
}

/** `YYYY-MM-DDTHH:MM:SS`, the fraction if there is one, and the offset. */
export function formatMoment(moment: Moment & { readonly zone: number }): string {
  const time = `${pad(moment.hour, 2)}:${pad(moment.minute, 2)}:${pad(moment.second, 2)}`;
  const fraction = moment.fraction === '' ? '' : `.${moment.fraction}`;
  return `${formatDay(moment)}T${time}${fraction}${formatZone(moment.zone)}`;
}

/** Seconds since 0000-01-01 UTC with the fraction, as text: equal texts are the same instant. */
export function instantOf(moment: Moment & { readonly zone: number }): string {
  const minutes = dayNumber(moment) * 1440 + moment.hour * 60 + moment.minute - moment.zone;
  return `${minutes * 60 + moment.second}.${moment.fraction}`;
}

/** The calendar day at an ISO time, as a clock of that zone (minutes east of UTC) shows it; null if it can't be read. */
export function dayAt(at: string, zone: number): Day | null {
  const moment = parseMoment(at);
  if (moment === null) return null;
  const minutes = moment.hour * 60 + moment.minute + (moment.zone === null ? 0 : zone - moment.zone);
  let by = 0;
  for (let rest = minutes; rest < 0; rest += 1440) by--;
  for (let rest = minutes; rest >= 1440; rest -= 1440) by++;
  return shiftDay(moment, by);
}
