import type { Lookup } from '../src/events/lookup.ts';
import type { Place } from '../src/events/place.ts';
import { UNANCHORED_FIELDS, type Unanchored } from './report.ts';
import type { InputsAt } from './resolve.ts';

/** Counts the events that no recomputation rests on. It keeps one byte an event. */
export interface Coverage {
  /** An event passed. */
  saw(type: string): void;
  /** A run was recomputed: its own events, what declared it, and the segments that its lookups point into. */
  recomputed(events: readonly { position: number }[], lookups: readonly Lookup[], at: InputsAt): void;
  unanchored(): Unanchored;
}

export function coverageOf(size: number): Coverage {
  const covered = new Uint8Array(size);
  const kinds = new Map<string, number>();
  const add = (type: string, count: number): void => {
    kinds.set(type, (kinds.get(type) ?? 0) + count);
  };
  const cover = (position: number | undefined, type: string): void => {
    if (position === undefined || covered[position] !== 0) return;
    covered[position] = 1;
    add(type, -1);
  };
  const point = (place: Place | null | undefined, at: InputsAt): void => {
    if (place === null || place === undefined || place.in === 'entry') return;
    cover(at.segments[place.segment], 'SegmentAdded');
  };
  return {
    saw: (type) => add(type, 1),
    recomputed(events, lookups, at) {
      cover(events[0]?.position, 'RunStarted');
      for (const { position } of events.slice(1, -1)) cover(position, 'LookupPerformed');
      cover(events.at(-1)?.position, 'VerdictRecorded');
      at.declarations.forEach((position, index) => {
        cover(position, index === 0 ? 'ToolDeclared' : 'ChecklistDeclared');
      });
      for (const { outcome } of lookups) {
        if (outcome.said === 'nothing') point(outcome.place, at);
        if (outcome.said !== 'claim') continue;
        for (const claim of outcome.claims) {
          point(claim.at, at);
          point(claim.by, at);
        }
      }
    },
    unanchored() {
      const left = [...kinds]
        .filter(([, count]) => count > 0)
        .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
      return {
        events: left.reduce((sum, [, count]) => sum + count, 0),
        kinds: Object.fromEntries(left),
        fields: UNANCHORED_FIELDS,
      };
    },
  };
}
