import type { Json } from '../../events/json.ts';
import {
  formatMoment,
  instantOf,
  MOMENT_PATTERN,
  type Moment,
  momentOf,
  parseMoment,
  zoneMinutes,
} from './dates.ts';
import type { Reader } from './reader.ts';
import { cutsToken } from './tokens.ts';
import { type Hit, typedReader } from './typed-reader.ts';

const MOMENTS = new RegExp(MOMENT_PATTERN, 'g');
/** A zone that is not declared, or a half of the day: with either the time would be another. */
const MORE_TIME = /^ ?(?:[A-Z]{2,5}(?![A-Za-z])|[ap]\.?m\b|[A-Z][A-Za-z]+\/[A-Z])/;

function instant(value: Json): string | null {
  const moment = typeof value === 'string' ? parseMoment(value) : null;
  return moment === null || moment.zone === null ? null : instantOf({ ...moment, zone: moment.zone });
}

/**
 * ISO-like times ("2024-05-15T15:00:00Z", "2024-05-15 15:00 EST"). Where none is written, the declared zone holds, else
 * the context's. The value is ISO 8601 with an offset; two are the same if they are the same instant.
 */
export function datetime(name: string, declared: string | null = null): Reader {
  return typedReader({
    name,
    version: 1,
    hits: (text, context) => {
      const hits: Hit[] = [];
      for (const match of text.matchAll(MOMENTS)) {
        const start = match.index;
        const end = start + match[0].length;
        const moment: Moment | null = momentOf(match);
        if (moment === null || cutsToken(text, start) || cutsToken(text, end)) continue;
        if (MORE_TIME.test(text.slice(end, end + 24))) continue;
        const zone = moment.zone ?? zoneMinutes(declared ?? context.zone);
        if (zone !== null) hits.push({ start, end, value: formatMoment({ ...moment, zone }) });
      }
      return hits;
    },
    same: (a, b) => {
      const left = instant(a);
      return left !== null && left === instant(b);
    },
  });
}
