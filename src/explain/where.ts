import { encode } from '../events/canonical.ts';
import type { Content } from '../events/content.ts';
import type { DataOf } from '../events/index.ts';
import type { Json } from '../events/json.ts';
import type { Place } from '../events/place.ts';
import { at as valueAt } from '../events/pointer.ts';
import type { Entry } from '../gate/types.ts';
import { type CallRecord, openOf, type SaidSegment } from './record.ts';
import type { Where } from './schema.ts';

/** Shows a place with what stands there. null: the log holds nothing at it. */
export type Shows = (place: Place | null | undefined) => Where | null;

/** Quotes come from the log by place, never from anywhere else. */
export function showsOf(record: CallRecord): Shows {
  return (place) => {
    if (place === null || place === undefined) return null;
    if (place.in === 'entry') return entryWhere(record, place);
    const said = record.segmentAt(place.segment);
    return said === null ? null : segmentWhere(said, place);
  };
}

/** A value as text: a string as it is, anything else as JSON. */
export function textOfValue(value: Json): string {
  return typeof value === 'string' ? value : encode(value);
}

function segmentWhere(said: SaidSegment, place: Exclude<Place, { in: 'entry' }>): Where {
  const { segment } = said;
  const head = {
    segment: said.index,
    message: said.message + 1,
    message_index: said.message,
    author: segment.author,
    typed: segment.typed,
    tool: segment.observes?.tool ?? null,
  };
  if (place.in === 'json') {
    const content = place.of === 'result' ? segment.body : segment.observes?.arguments;
    const open = openOf(content);
    const value = open === undefined ? undefined : valueAt(open, place.pointer);
    return {
      in: 'json',
      ...head,
      quoted: value === undefined ? null : textOfValue(value),
      sealed: content !== undefined && open === undefined,
      of: place.of,
      pointer: place.pointer,
    };
  }
  const body = openOf(segment.body);
  const text = typeof body === 'string' ? body : null;
  return {
    in: 'text',
    ...head,
    quoted: text === null ? null : text.slice(place.start, place.end),
    sealed: body === undefined,
    start: place.start,
    end: place.end,
    line: text === null ? null : lineOf(text, place.start, place.end),
  };
}

function lineOf(text: string, start: number, end: number): { quoted: string; start: number; end: number } {
  const before = start === 0 ? -1 : text.lastIndexOf('\n', start - 1);
  const after = text.indexOf('\n', end);
  const line = { start: before + 1, end: after < 0 ? text.length : after };
  return { quoted: text.slice(line.start, line.end), ...line };
}

function entryWhere(record: CallRecord, place: Place & { in: 'entry' }): Where {
  const stored = record.started?.entries[place.entry];
  const entry = stored?.entry as Entry | undefined;
  const content = entry === undefined ? undefined : contentAt(entry, place.pointer);
  const value = openOf(content);
  const asked = stored?.event === null || stored === undefined ? undefined : record.asked.get(stored.event);
  const answer =
    asked?.type === 'AnswerReceived' || asked?.type === 'ApprovalGranted'
      ? (asked.event.data as DataOf<'AnswerReceived'> | DataOf<'ApprovalGranted'>)
      : null;
  const question = answer?.question == null ? undefined : record.asked.get(answer.question);
  const words =
    question === undefined ? undefined : openOf((question.event.data as DataOf<'QuestionAsked'>).text);
  return {
    in: 'entry',
    quoted: value === undefined ? null : textOfValue(value),
    sealed: content !== undefined && value === undefined,
    entry: place.entry,
    pointer: place.pointer,
    kind: entry?.kind ?? null,
    name: entry?.kind === 'setting' ? entry.name : null,
    attested_by: entry?.kind === 'setting' ? entry.attested_by : null,
    event: stored?.event ?? null,
    by: answer === null ? null : { user: answer.by.user, known_by: answer.by.known_by },
    question: words ?? null,
  };
}

/** What an entry holds at a pointer, as the gate reads it (gate/keys.ts), sealed or not. */
function contentAt(entry: Entry, pointer: string): Content<Json> | undefined {
  switch (entry.kind) {
    case 'answer':
      return pointer === '/value' ? entry.value : undefined;
    case 'setting': {
      if (pointer === '/value') return entry.value;
      const range = /^\/satisfies\/(\d+)\/within$/.exec(pointer);
      const within = range === null ? undefined : entry.satisfies?.[Number(range[1])]?.within;
      return within === undefined ? undefined : { plain: within };
    }
    case 'approval':
      if (pointer === '/declined') return { plain: entry.declined };
      return entry.shown[Number(pointer.split('/')[2])]?.value;
    case 'baseline':
      return entry.slots[Number(pointer.split('/')[2])]?.value;
    case 'trigger':
      return { plain: entry.timing };
    case 'tool_name':
      return { plain: entry.word };
    case 'notice':
      return { plain: entry.text };
    case 'match':
      return { plain: entry.approved };
    case 'timing':
      return { plain: entry.timing };
    case 'started':
      return entry.arguments;
  }
}
