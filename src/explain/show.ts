import { isGroundsError } from '../errors.ts';
import type { DataOf } from '../events/index.ts';
import { isObject } from '../events/json.ts';
import type { StoredRow, SyncLog } from '../log/index.ts';
import type { CallPlace } from '../projections/call-row.ts';
import { callRows, openOf } from './record.ts';
import { plural } from './sentences.ts';
import { columnsOf, cutMiddle, shown } from './shown.ts';
import { textOfValue } from './where.ts';

/** One event in short: what `show --events` and `log` print. */
export interface ShownEvent {
  readonly position: number;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly at: string;
  readonly id: string;
  /** Whole; a line of text shows as much as there is room for. */
  readonly content: string;
}

/** The events behind one call: those of its newest run and what followed it; with `all`, also those of earlier runs. */
export function eventsBehind(
  log: SyncLog,
  place: CallPlace,
  options: { all?: boolean } = {},
): readonly StoredRow[] {
  if (options.all === true) return [...log.readSync({ stream: place.stream })].flat();
  const { rows, end } = callRows(log, place);
  return end === null || rows.includes(end) ? rows : [end, ...rows];
}

/** A log that was damaged can be read on past the damage; replay says what it is. */
export function shownEvent(row: StoredRow): ShownEvent {
  const { position, stream, version } = row;
  try {
    const { type, at, id, data } = row.event;
    return { position, stream, version, type, at, id, content: contentOf(type, data) };
  } catch (error) {
    const why = isGroundsError(error) ? error.message : 'its data is not what its type says.';
    return { position, stream, version, type: row.type, at: '', id: '', content: `NOT READABLE: ${why}` };
  }
}

/** One line an event: position, type, content; with `stream`, as the whole log shows them, the stream between. */
export function renderEvents(
  events: readonly ShownEvent[],
  options: { readonly width: number; readonly stream?: boolean },
): string {
  const digits = Math.max(0, ...events.map(({ position }) => String(position).length));
  const longest = Math.max(0, ...events.map(({ type }) => columnsOf(shown(type))));
  return events
    .map((event) => {
      const parts = [String(event.position).padStart(digits), shown(event.type).padEnd(longest)];
      if (options.stream === true) parts.push(shown(event.stream));
      const head = parts.join('  ');
      const room = Math.max(options.width - columnsOf(head) - 2, 20);
      return `${head}  ${cutMiddle(shown(event.content), room)}`.trimEnd();
    })
    .map((line) => `${line}\n`)
    .join('');
}

/** What an event says, in a few words. A type of a newer version shows as its type alone. */
function contentOf(type: string, data: unknown): string {
  switch (type) {
    case 'RunStarted': {
      const started = data as DataOf<'RunStarted'>;
      return `${started.phase}, ${plural(started.segments, 'segment')}, ${plural(started.checklists.length, 'checklist')}`;
    }
    case 'LookupPerformed': {
      const { subject, answers } = data as DataOf<'LookupPerformed'>;
      const of =
        'slot' in subject
          ? subject.slot
          : subject.index === null
            ? subject.fact
            : `${subject.fact}/${subject.index}`;
      return `${of}: ${answers.map(({ source, outcome }) => `${source} ${outcome.said}`).join(', ')}`;
    }
    case 'VerdictRecorded': {
      const { verdict } = data as DataOf<'VerdictRecorded'>;
      const count = verdict.unknown_count === null ? '' : `, ${verdict.unknown_count} unknown`;
      const unmet = verdict.unmet.length === 0 ? '' : `, ${verdict.unmet.length} unmet`;
      return `${verdict.kind} (${verdict.rule})${count}${unmet}`;
    }
    case 'CallObserved': {
      const { tool, outcome, gated } = data as DataOf<'CallObserved'>;
      return `${tool}: ${outcome}${gated ? '' : ', outside the gate'}`;
    }
    case 'SegmentAdded': {
      const { segment } = data as DataOf<'SegmentAdded'>;
      const body = openOf(segment.body);
      const who = segment.observes === null ? segment.author : segment.observes.tool;
      return `${who}${segment.typed ? ' (typed)' : ''}: ${body === undefined ? 'sealed' : textOfValue(body)}`;
    }
    case 'ToolDeclared': {
      const { tool, digest } = data as DataOf<'ToolDeclared'>;
      return `${tool.name} ${digest}`;
    }
    case 'ChecklistDeclared': {
      const { declared_by, digest } = data as DataOf<'ChecklistDeclared'>;
      return `declared by ${declared_by} ${digest}`;
    }
    case 'QuestionAsked': {
      const { about, slots, text } = data as DataOf<'QuestionAsked'>;
      return `about ${about}${slots.length === 0 ? '' : ` (${slots.map(({ slot }) => slot).join(', ')})`}: ${openOf(text) ?? 'sealed'}`;
    }
    case 'AnswerReceived': {
      const { by, answers, declined } = data as DataOf<'AnswerReceived'>;
      const what = declined ? 'declined' : answers.map(({ slot }) => slot).join(', ');
      return `${what}, known by ${by.known_by}`;
    }
    case 'ApprovalGranted': {
      const { by, shown: values } = data as DataOf<'ApprovalGranted'>;
      return `${values.map(({ slot }) => slot).join(', ')}, known by ${by.known_by}`;
    }
    case 'ApprovalRevoked':
      return (data as DataOf<'ApprovalRevoked'>).because;
    case 'CallDeferred':
      return (data as DataOf<'CallDeferred'>).timing;
    case 'TriggerFired': {
      const { timing, by } = data as DataOf<'TriggerFired'>;
      return `${timing}, by ${by}`;
    }
    case 'ExecutionDecided': {
      const { decision, refused, executor } = data as DataOf<'ExecutionDecided'>;
      return `${decision}${refused.length === 0 ? '' : ` (${refused.join(', ')})`} by ${executor}`;
    }
    case 'CallFailed':
    case 'CallOutcomeUnknown':
      return (data as DataOf<'CallFailed'> | DataOf<'CallOutcomeUnknown'>).code;
    case 'CallReconciled': {
      const { outcome, by } = data as DataOf<'CallReconciled'>;
      return `${outcome}, ${by}`;
    }
    case 'IncidentReported':
      return openOf((data as DataOf<'IncidentReported'>).text) ?? 'sealed';
    case 'RecordImported': {
      const { schema_version, record } = data as DataOf<'RecordImported'>;
      const said = openOf(record);
      const decision = isObject(said) ? said.execution_decision : null;
      return `of another gate (${schema_version})${typeof decision === 'string' ? `: ${decision}` : ''}`;
    }
    case 'ValueErased': {
      const { places, because } = data as DataOf<'ValueErased'>;
      return `${plural(places.length, 'place')}, ${because}`;
    }
    default:
      return '';
  }
}
