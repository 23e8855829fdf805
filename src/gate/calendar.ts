/**
 * Calendar arithmetic on the proleptic Gregorian calendar, years 0000 to 9999, without a clock, a zone database or a
 * locale. Days are counted from 1970-01-01.
 */
interface CivilDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
}

export interface Moment {
  /** Days since 1970-01-01 of the date as it is written, whatever its zone. */
  readonly days: number;
  /** Whole seconds of that day, 0 to 86399; null where the text says a date only. */
  readonly seconds: number | null;
  /** The digits behind the seconds' point, without trailing zeros; '' where there are none. */
  readonly fraction: string;
  /** Minutes east of UTC; null where the text says none. */
  readonly zone: number | null;
}

/** The abbreviations that stand for one fixed offset, in minutes east of UTC. The same list as a checklist's `zone`. */
export const ZONE_MINUTES: Readonly<Record<string, number>> = Object.freeze({
  UTC: 0,
  GMT: 0,
  Z: 0,
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
});

const OFFSET = /^([+-])([01][0-9]|2[0-3]):([0-5][0-9])$/;
const MOMENT =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:\.([0-9]{1,18}))?)?(?: ?([A-Z]{1,4}|[+-][0-9]{2}:[0-9]{2}))?)?$/;

/** Minutes east of UTC of `EST`, `Z`, `-05:00`, …; undefined for anything else, named regions included. */
export function zoneMinutes(zone: string): number | undefined {
  const found = OFFSET.exec(zone);
  if (found === null) return Object.hasOwn(ZONE_MINUTES, zone) ? ZONE_MINUTES[zone] : undefined;
  const minutes = Number(found[2]) * 60 + Number(found[3]);
  return minutes === 0 ? 0 : found[1] === '-' ? -minutes : minutes;
}

/**
 * `2024-05-15`, `2024-05-15T15:00`, `2024-05-15 15:00:00.5Z`, `2024-05-15T15:00:00+02:00`, `2024-05-15 15:00:00 EST`.
 * Undefined for anything else: a day that no calendar has, second 60, an unknown zone.
 */
export function parseMoment(text: string): Moment | undefined {
  const found = MOMENT.exec(text);
  if (found === null) return undefined;
  const days = daysOf({ year: Number(found[1]), month: Number(found[2]), day: Number(found[3]) });
  if (days === undefined) return undefined;
  const zone = found[8] === undefined ? null : zoneMinutes(found[8]);
  if (zone === undefined) return undefined;
  const seconds =
    found[4] === undefined ? null : Number(found[4]) * 3600 + Number(found[5]) * 60 + Number(found[6] ?? '0');
  return { days, seconds, fraction: withoutTrailingZeros(found[7] ?? ''), zone };
}

/** Whole seconds since 1970-01-01T00:00:00Z; `zone` (minutes east) holds where the moment says none. */
export function epochSeconds(moment: Moment, zone: number): number {
  return moment.days * 86400 + (moment.seconds ?? 0) - (moment.zone ?? zone) * 60;
}

/** Days since 1970-01-01; undefined for a date that does not exist. */
export function daysOf(date: CivilDate): number | undefined {
  const { year, month, day } = date;
  if (year < 0 || year > 9999 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month))
    return undefined;
  // Years begin in March, so that the leap day is the last of its year.
  const y = month <= 2 ? year - 1 : year;
  const era = floorDiv(y, 400);
  const yearOfEra = y - era * 400;
  const monthFromMarch = month > 2 ? month - 3 : month + 9;
  const dayOfYear = floorDiv(153 * monthFromMarch + 2, 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + floorDiv(yearOfEra, 4) - floorDiv(yearOfEra, 100) + dayOfYear;
  return era * 146097 + dayOfEra - 719468;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Both integers; cut towards minus infinity. */
function floorDiv(a: number, b: number): number {
  const rest = a % b;
  return (a - (rest < 0 ? rest + b : rest)) / b;
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}
