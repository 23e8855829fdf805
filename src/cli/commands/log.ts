import { nearest } from '../../declarations/nearest.ts';
import type { GroundsError } from '../../errors.ts';
import { EVENTS } from '../../events/index.ts';
import { renderEvents, shownEvent } from '../../explain/show.ts';
import type { Query } from '../../log/port.ts';
import type { StoredRow } from '../../log/row.ts';
import { escapedJson } from '../../marks.ts';
import type { Io } from '../io.ts';
import { reading } from '../open-log.ts';
import { usage } from '../report-error.ts';
import { whichLog } from '../which-log.ts';

export interface LogOptions {
  readonly json?: boolean;
  readonly db?: string;
  readonly stream?: string;
  readonly type?: readonly string[];
  readonly from?: number;
  readonly to?: number;
  readonly limit?: number;
  readonly reverse?: boolean;
}

/** The events of a log in their order: one line each, or the event as stored, with where it stands and its leaf hash. */
export async function log(io: Io, last: string | undefined, options: LogOptions): Promise<void> {
  for (const type of options.type ?? []) if (!Object.hasOwn(EVENTS, type)) throw noType(type);
  await reading(whichLog(last, options.db), (opened) => {
    const query: Query = {
      ...(options.stream === undefined ? {} : { stream: options.stream }),
      ...(options.type === undefined ? {} : { types: options.type }),
      ...(options.from === undefined ? {} : { from: options.from }),
      ...(options.to === undefined ? {} : { to: options.to }),
      ...(options.limit === undefined ? {} : { limit: options.limit }),
      ...(options.reverse === true ? { direction: 'backward' } : {}),
    };
    for (const page of opened.readSync(query)) {
      if (io.closed()) return;
      if (options.json === true) io.out(page.map(eventLine).join(''));
      else io.out(renderEvents(page.map(shownEvent), { width: io.width, stream: true }));
    }
  });
}

function noType(type: string): GroundsError {
  const types = Object.keys(EVENTS);
  const meant = nearest(type, types);
  const hint = meant === undefined ? '' : `Did you mean ${meant}? `;
  return usage(`No event is of the type ${type}.`, `${hint}The types are ${types.join(', ')}.`);
}

/**
 * The stored bytes are JSON already: they are given as they are but for what a terminal would obey, which is escaped as in
 * all output; their canonical form is what the leaf hash is of. Where somebody changed them to what is no JSON, `event` is null.
 */
export function eventLine({ position, version, leaf, bytes }: StoredRow): string {
  const text = Buffer.from(bytes).toString('utf8');
  const hex = Buffer.from(leaf).toString('hex');
  return `{"position":${position},"version":${version},"leaf":"${hex}","event":${isJson(text) ? oneLineOf(text) : 'null'}}\n`;
}

/** Stored JSON is on one line; where somebody changed it, line ends can stand between its parts only. */
function oneLineOf(text: string): string {
  return escapedJson(text.replace(/[\n\r]/g, ' '));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
