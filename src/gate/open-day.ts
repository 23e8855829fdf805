import type { TextPlace } from '../events/place.ts';
import { contextOf, textOf } from './conversation.ts';
import { dayAt, formatDay, zoneMinutes } from './readers/dates.ts';
import type { Reader } from './readers/reader.ts';
import type { Rules } from './rules-for.ts';
import type { RunInput } from './types.ts';

/**
 * Whether words name a day without its year that, as one of their message's year, is past or can't be told. "On Jan 5", said in
 * December, means the next one or a slip: taken for the last one, it would be due at once. As a value such a day stays that of the
 * message's year; only for when something is to happen is it asked for. RULES R3.
 */
export function isPastWithoutYear(run: RunInput, rules: Rules, reader: Reader, place: TextPlace): boolean {
  const segment = run.segments[place.segment];
  const text = textOf(segment);
  if (segment === undefined || text === null) return false;
  const context = contextOf(run, rules, segment);
  // What stays open where no time is known names no year; no reader but those of dates leaves a day open.
  const open = reader.readAt(text, place, { ...context, at: null });
  if (typeof open !== 'string' || !OPEN.test(open)) return false;
  const today = context.at === null ? null : dayAt(context.at, zoneMinutes(context.zone) ?? 0);
  const day = reader.readAt(text, place, context);
  return today === null || typeof day !== 'string' || day < formatDay(today);
}

const OPEN = /^--[0-9]{2}-[0-9]{2}$/;
