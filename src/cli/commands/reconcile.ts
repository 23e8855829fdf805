import { randomId } from '../../events/random-id.ts';
import {
  type Measurement,
  reconcile as settle,
  type UnfinishedStart,
  unfinishedStarts,
} from '../../executor/index.ts';
import { keyStore, keysFolder } from '../../keys/index.ts';
import type { SqliteLog } from '../../log/index.ts';
import { responderOf } from '../../preflight/by.ts';
import type { Io } from '../io.ts';
import { jsonOption } from '../json-option.ts';
import { jsonText } from '../json-text.ts';
import { byOf } from '../live-around.ts';
import { reading } from '../open-log.ts';
import { onLog } from '../printed-command.ts';
import { usage } from '../report-error.ts';
import { columns, oneLine, plural } from '../text.ts';
import { whichLog } from '../which-log.ts';

export interface ReconcileOptions {
  readonly json?: boolean;
  readonly db?: string;
  readonly start?: string;
  readonly outcome?: 'succeeded' | 'failed';
  readonly by?: 'measured' | 'reported';
  readonly user?: string;
  readonly hook?: string;
  readonly arguments?: string;
  readonly result?: string;
  readonly key?: string;
  readonly keys?: string;
}

/**
 * Lists the starts that nobody knows the end of, or settles one.
 * @returns of the list: 1 where there is any, so that a script notices; else 0
 */
export async function reconcile(io: Io, last: string | undefined, options: ReconcileOptions): Promise<0 | 1> {
  return reading(whichLog(last, options.db), async (log) => {
    if (options.start !== undefined) return settleOne(io, log, options.start, options);
    if (options.outcome !== undefined)
      throw usage(
        'No start is named whose outcome this is.',
        'Name it with --start; without, they are listed.',
      );
    return list(io, log, options.json === true);
  });
}

function list(io: Io, log: SqliteLog, json: boolean): 0 | 1 {
  const rows: string[][] = [];
  let found = 0;
  for (const start of unfinishedStarts(log)) {
    found++;
    if (json) io.out(`${jsonText(start)}\n`);
    else rows.push(cells(start));
  }
  if (json) return found === 0 ? 0 : 1;
  if (found === 0) io.out('No start is without an end.\n');
  else {
    io.out(
      `${plural(found, 'start')} without an end: look what became of each, and settle it with --start.\n`,
    );
    for (const line of columns(rows)) io.out(`  ${line}\n`);
  }
  return found === 0 ? 0 : 1;
}

function cells({ start, at, tool, outcome, arguments: args }: UnfinishedStart): string[] {
  const how = outcome === 'open' ? 'still running, or its executor is gone' : 'its executor does not know';
  return [start, at, oneLine(tool, 40), how, oneLine(JSON.stringify(args), 60)];
}

async function settleOne(io: Io, log: SqliteLog, typed: string, options: ReconcileOptions): Promise<0> {
  const { outcome, by = 'reported', user } = options;
  if (outcome === undefined)
    throw usage('It is not said what became of it.', 'Give --outcome succeeded or failed.');
  if (by === 'reported' && user === undefined)
    throw usage(
      'It is not said who reports it.',
      'Give --user, an id of the person; the log keeps it opaque.',
    );
  const key = options.key === undefined ? null : keyStore(keysFolder(options.keys)).signer(options.key);
  const start = startMeant(log, typed);
  const result = measurement(options);
  const closed = await settle(
    { log, clock: () => new Date().toISOString(), newId: randomId, key },
    {
      start,
      outcome,
      by,
      responder: user === undefined ? null : responderOf(log, byOf({ user })),
      ...(result === undefined ? {} : { result }),
    },
  );
  if (options.json === true) io.out(`${jsonText({ start, outcome, by, result: closed.result })}\n`);
  else io.out(`${start} is settled: ${outcome}, ${by}. It stays so.\n`);
  return 0;
}

/** The whole id, or the beginning of one that is in the list. */
function startMeant(log: SqliteLog, typed: string): string {
  const lower = typed.trim().toLowerCase();
  if (lower.length < 4)
    throw usage(
      'Of an id, type four characters at least.',
      `grounds reconcile${onLog(log.file)} lists them.`,
    );
  const found = [...unfinishedStarts(log)].map(({ start }) => start).filter((id) => id.startsWith(lower));
  const [only] = found;
  if (only === undefined || found.length > 1) {
    if (found.length > 1)
      throw usage(`${JSON.stringify(typed)} can mean several starts.`, 'Type a few more characters.', {
        found,
      });
    return lower;
  }
  return only;
}

function measurement({ by, hook, arguments: args, result }: ReconcileOptions): Measurement | undefined {
  if (by !== 'measured') {
    if (hook !== undefined || result !== undefined)
      throw usage('A report has no measurement.', 'Give --by measured with --hook and --result.');
    return undefined;
  }
  if (hook === undefined || result === undefined)
    throw usage(
      'A measurement needs what measured, and its result.',
      'Give --hook <name> and --result <text>.',
    );
  return {
    tool: hook,
    arguments: args === undefined ? {} : jsonOption('--arguments', args, '{"id": 7}'),
    result,
  };
}
