import type { Json } from '../../events/json.ts';
import { type Day, dayAt, formatDay, isDay, monthLength, shiftDay, weekdayOf, zoneMinutes } from './dates.ts';
import { MONTH_NAMES, monthOf } from './month-names.ts';
import type { ReadContext, Reader } from './reader.ts';
import { cutsToken, foldAscii, isCjk, isDigit, isLetter } from './tokens.ts';
import { type Hit, typedReader } from './typed-reader.ts';

export type DateOrder = 'mdy' | 'dmy';

const WEEKDAY = '(?<weekday>(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?)(?:,|\\.,?)? +';
const DAY = '([0-9]{1,2})(?:st|nd|rd|th)?(?![0-9])';
const YEAR = '(?:,? +((?:19|20|21)[0-9]{2})(?![0-9]))?';
const WORDED = new RegExp(
  `(?:${WEEKDAY})?(?:(?:the +)?${DAY} +(?:of +)?(${MONTH_NAMES})(?![a-z])\\.?${YEAR}|(${MONTH_NAMES})(?![a-z])\\.? +(?:the +)?${DAY}${YEAR})`,
  'gi',
);
const NUMERIC =
  /([0-9]{4})([-/.])([0-9]{1,2})\2([0-9]{1,2})(?![0-9])|([0-9]{1,2})([-/.])([0-9]{1,2})\6([0-9]{4})(?![0-9])|([0-9]{1,2})\/([0-9]{1,2})(?![0-9])/g;
const CJK = /(?:([0-9]{4})[년年] ?)?([0-9]{1,2})[월月] ?([0-9]{1,2})[일日]/g;
const RELATIVE = /(?:the +)?day +after +tomorrow|(?:the +)?day +before +yesterday|today|tomorrow|yesterday/gi;
const SHIFTS: Readonly<Record<string, number>> = { d: 0, m: 1, y: -1, a: 2, b: -2 };
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** A date as it was said; without a year it stays open. */
interface Said {
  readonly start: number;
  readonly end: number;
  readonly year: number | null;
  readonly month: number;
  readonly day: number;
  readonly weekday?: string;
  readonly from?: number;
}

const numberOr = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

function worded(text: string): readonly Said[] {
  const found: Said[] = [];
  for (const match of text.matchAll(WORDED)) {
    const [all, , dayFirst, monthAfter, yearAfter, monthFirst = '', dayAfter, yearLast] = match;
    const start = match.index;
    const end = start + all.length;
    const weekday = match.groups?.weekday;
    const month = monthOf(foldAscii(monthAfter ?? monthFirst));
    const date = {
      start,
      end,
      year: numberOr(yearAfter ?? yearLast),
      month,
      day: Number(dayFirst ?? dayAfter),
    };
    if (weekday === undefined) found.push(date);
    else {
      const from = start + (/^[^ ]+ +/.exec(all)?.[0].length ?? 0);
      found.push({ ...date, weekday: foldAscii(weekday.slice(0, 3)), from });
    }
  }
  return found.filter((said) => !cutsToken(text, said.start) && !cutsToken(text, said.end));
}

/** Month and day of two numbers; null where no order was declared and both would do. */
function ordered(a: number, b: number, order: DateOrder | null): { month: number; day: number } | null {
  const mdy = { month: a, day: b };
  const dmy = { month: b, day: a };
  if (order !== null) return order === 'mdy' ? mdy : dmy;
  if (a === b || (a <= 12 && b > 12)) return mdy;
  return b <= 12 && a > 12 ? dmy : null;
}

function numeric(text: string, order: DateOrder | null): readonly Said[] {
  const found: Said[] = [];
  for (const match of text.matchAll(NUMERIC)) {
    const start = match.index;
    const end = start + match[0].length;
    if (cutsToken(text, start) || cutsToken(text, end)) continue;
    const [, year, , month, day, first, , second, yearLast, a, b] = match;
    if (year !== undefined) {
      found.push({ start, end, year: Number(year), month: Number(month), day: Number(day) });
      continue;
    }
    // "5/20" alone may be a fraction, or "24/7": only where an order is declared is it a date.
    if (first === undefined && order === null) continue;
    const parts = ordered(Number(first ?? a), Number(second ?? b), order);
    if (parts !== null) found.push({ start, end, year: numberOr(yearLast), ...parts });
  }
  return found;
}

function cjk(text: string): readonly Said[] {
  const found: Said[] = [];
  for (const match of text.matchAll(CJK)) {
    const [all, year, month, day] = match;
    const start = match.index;
    const before = text.charCodeAt(start - 1);
    if (isDigit(before) || isLetter(before) || (!isCjk(before) && cutsToken(text, start))) continue;
    found.push({
      start,
      end: start + all.length,
      year: numberOr(year),
      month: Number(month),
      day: Number(day),
    });
  }
  return found;
}

/** `--MM-DD` (ISO 8601:2000): a date whose year nothing here says. It is the same as that day of any year. */
const openValue = ({ month, day }: Said): string => formatDay({ year: 0, month, day }).replace('0000', '-');

function hitOf(said: Said, here: Day | null): Hit | null {
  const { start, end, weekday, from } = said;
  const inner = from === undefined ? {} : { inner: { start: from, end } };
  const year = said.year ?? here?.year ?? null;
  if (year === null) {
    const exists = said.day >= 1 && said.day <= monthLength(2000, said.month);
    return exists ? { start, end, value: openValue(said), open: true, ...inner } : null;
  }
  const day = { year, month: said.month, day: said.day };
  if (!isDay(day) || (weekday !== undefined && WEEKDAYS[weekdayOf(day)] !== weekday)) return null;
  return {
    start,
    end,
    value: formatDay(day),
    ...(said.year === null ? { open: true as const } : {}),
    ...inner,
  };
}

function relative(text: string, here: Day | null): readonly Hit[] {
  if (here === null) return [];
  const found: Hit[] = [];
  for (const match of text.matchAll(RELATIVE)) {
    const start = match.index;
    const end = start + match[0].length;
    if (cutsToken(text, start) || cutsToken(text, end)) continue;
    const said = foldAscii(match[0]);
    const word = said.includes('after')
      ? 'a'
      : said.includes('before')
        ? 'b'
        : said.charAt(2) === 'd'
          ? 'd'
          : said.charAt(0) === 'y'
            ? 'y'
            : 'm';
    found.push({ start, end, value: formatDay(shiftDay(here, SHIFTS[word] ?? 0)) });
  }
  return found;
}

const OPEN = /^-(-[0-9]{2}-[0-9]{2})$/;
const FULL = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

function sameDate(a: Json, b: Json): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  if (a === b) return FULL.test(a) || OPEN.test(a);
  const open = OPEN.exec(a)?.[1] ?? OPEN.exec(b)?.[1];
  return open !== undefined && (FULL.test(a) || FULL.test(b)) && a.endsWith(open) && b.endsWith(open);
}

/**
 * A calendar day, `YYYY-MM-DD`. Without a declared order a numeric date is read only where it can't be another
 * ("5/20/2024", not "5/6/2024"); two-digit years never. A weekday that contradicts the date makes it unreadable.
 * Relative days count from the context's time in its zone. A date without a year is that of the context's year; where the
 * time is unknown it is found for that day of any year. Such a date is never offered by `scan`.
 */
export function date(name: string, order: DateOrder | null = null): Reader {
  const hits = (text: string, context: ReadContext): readonly Hit[] => {
    const here = context.at === null ? null : dayAt(context.at, zoneMinutes(context.zone) ?? 0);
    const said = [...worded(text), ...numeric(text, order), ...cjk(text)];
    const read = said.flatMap((one) => hitOf(one, here) ?? []);
    return [...read, ...relative(text, here)].sort((a, b) => a.start - b.start || a.end - b.end);
  };
  return typedReader({
    name,
    version: 1,
    hits,
    fromString: (value, context) => {
      const read = hits(value, context).find((hit) => hit.start === 0 && hit.end === value.length)?.value;
      return typeof read === 'string' && FULL.test(read) ? read : undefined;
    },
    same: sameDate,
  });
}
