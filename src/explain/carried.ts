import { isArray, isObject, type Json } from '../events/json.ts';
import type { Place } from '../events/place.ts';
import { escapeSegment } from '../events/pointer.ts';
import { findIn, textOf } from '../gate/conversation.ts';
import type { Reader } from '../gate/readers/reader.ts';
import type { Rules } from '../gate/rules-for.ts';
import type { ValueSlot } from '../gate/slot-list.ts';
import type { RunInput } from '../gate/types.ts';
import type { Carried, Where } from './schema.ts';
import type { Shows } from './where.ts';

const KEPT = 4;

/**
 * Where the value that the call carried stands in the conversation, whoever wrote it. It confirms nothing: it shows
 * where an unconfirmed value may have come from. null for what can't be looked for (null, booleans, empty values).
 */
export function carriedBy(run: RunInput, rules: Rules, slot: ValueSlot, shows: Shows): Carried | null {
  const value = slot.leaf;
  if ((typeof value !== 'string' || value === '') && typeof value !== 'number') return null;
  const places = placesOf(run, rules, slot.reader, value);
  const found = places.map(({ kind }) => kind);
  const stands: Carried['stands'] =
    found.length === 0
      ? 'nowhere'
      : found.every((kind) => kind === 'agent_only')
        ? 'agent_only'
        : found.includes('typed')
          ? 'typed'
          : found.includes('tool_result')
            ? 'tool_result'
            : 'other';
  const telling = places.filter(({ kind }) => kind === stands || stands === 'other');
  const where = telling.slice(-KEPT).flatMap(({ place }) => shows(place) ?? []);
  return { value, stands, says: saysOf(stands, where.at(-1)), count: telling.length, where };
}

function saysOf(stands: Carried['stands'], last: Where | undefined): string {
  const tool = last !== undefined && last.in !== 'entry' ? last.tool : null;
  switch (stands) {
    case 'nowhere':
      return 'which stands nowhere';
    case 'agent_only':
      return 'which stands only in what the agent wrote';
    case 'tool_result':
      return `which stands in what ${tool ?? 'a tool'} returned`;
    case 'typed':
      return 'which the user typed';
    default:
      return 'which stands in what neither the user nor a tool said';
  }
}

interface Found {
  readonly kind: Exclude<Carried['stands'], 'nowhere'>;
  readonly place: Place;
}

function placesOf(run: RunInput, rules: Rules, reader: Reader | null, value: string | number): Found[] {
  const found: Found[] = [];
  const context = { at: run.now, zone: rules.zone };
  const same = (other: Json): boolean => {
    if (other === value) return true;
    if (reader === null || (typeof other !== 'string' && typeof other !== 'number')) return false;
    const read = reader.fromJson(other, context);
    return read !== undefined && reader.same(read, value);
  };
  run.segments.forEach((segment, index) => {
    const kind: Found['kind'] =
      segment.author === 'agent'
        ? 'agent_only'
        : segment.author === 'user' && segment.typed
          ? 'typed'
          : segment.author === 'tool' || segment.author === 'hook'
            ? 'tool_result'
            : 'other';
    if (textOf(segment) !== null) {
      const spans = reader === null ? [] : findIn(run, rules, segment, reader, value);
      for (const { start, end } of spans) {
        found.push({ kind, place: { in: 'text', segment: index, start, end } });
      }
    } else if ('plain' in segment.body) {
      for (const pointer of pointersTo(segment.body.plain, same)) {
        found.push({ kind, place: { in: 'json', segment: index, of: 'result', pointer } });
      }
    }
    const sent = segment.observes?.arguments;
    if (sent === undefined || !('plain' in sent)) return;
    for (const pointer of pointersTo(sent.plain, same)) {
      found.push({ kind: 'agent_only', place: { in: 'json', segment: index, of: 'arguments', pointer } });
    }
  });
  return found;
}

function pointersTo(value: Json, same: (other: Json) => boolean, pointer = ''): string[] {
  if (isArray(value)) {
    return value.flatMap((item, index) => pointersTo(item, same, `${pointer}/${index}`));
  }
  if (isObject(value)) {
    return Object.entries(value).flatMap(([key, item]) =>
      pointersTo(item, same, `${pointer}/${escapeSegment(key)}`),
    );
  }
  return same(value) ? [pointer] : [];
}
