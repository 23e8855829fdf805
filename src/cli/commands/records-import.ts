import { importRecords, type RecordsInto, readRecords } from '../../compat/index.ts';
import { isObject } from '../../events/json.ts';
import { randomId } from '../../events/random-id.ts';
import { openSqliteLogSync, type SqliteLog } from '../../log/sqlite.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { columns, oneLine, plural } from '../text.ts';
import { requireFiles } from '../transcript-files.ts';
import { splitLog } from '../which-log.ts';

export interface RecordsImportOptions {
  readonly json?: boolean;
  readonly db?: string;
  readonly maxPages?: number;
}

/** Keeps exported records of the reference skeleton as they came; prints how many, or each as JSON. */
export async function importCommand(
  io: Io,
  named: readonly string[],
  options: RecordsImportOptions,
): Promise<void> {
  const { files, log: file } = splitLog(named, options.db);
  requireFiles(files);
  let opened: (RecordsInto & { readonly log: SqliteLog }) | null = null;
  // Only once there is a record, so that a file that can't be read leaves no empty log behind.
  const into = (): RecordsInto => {
    opened ??= openInto(file, options.maxPages);
    return opened;
  };
  const tally = { records: 0, added: 0, by_version: {}, by_decision: {} };
  try {
    for (const name of files) {
      for (const { call_id, added, record, version, origin } of importRecords(into, readRecords(name))) {
        const said = isObject(record) ? record : {};
        tally.records++;
        if (added) tally.added++;
        count(tally.by_version, version);
        count(tally.by_decision, String(said.execution_decision));
        if (options.json === true) {
          const { execution_decision, action_key = null } = said;
          io.out(
            `${jsonText({ call_id, added, schema_version: version, execution_decision, action_key, origin })}\n`,
          );
        }
      }
    }
  } finally {
    await (opened as { readonly log: SqliteLog } | null)?.log.close();
  }
  io.out(options.json === true ? `${jsonText({ ...tally, log: file })}\n` : screen(tally, file));
}

function openInto(file: string, maxPages: number | undefined): RecordsInto & { readonly log: SqliteLog } {
  return {
    log: openSqliteLogSync({ file, create: true, ...(maxPages === undefined ? {} : { maxPages }) }),
    clock: () => new Date().toISOString(),
    newId: randomId,
  };
}

interface Tally {
  readonly records: number;
  readonly added: number;
  readonly by_version: Record<string, number>;
  readonly by_decision: Record<string, number>;
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

function screen({ records, added, by_version, by_decision }: Tally, file: string): string {
  const again = records === added ? '' : `, ${records - added} of them there already`;
  const told = (counts: Record<string, number>): string =>
    Object.entries(counts)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, n]) => `${name} × ${n}`)
      .join(' · ');
  const rows = [
    ['versions', told(by_version)],
    ['decisions', told(by_decision)],
  ].filter(([, text]) => text !== '');
  return [
    `${plural(records, 'record')} in ${oneLine(file, 120)}${again}`,
    ...columns(rows).map((line) => `  ${line}`),
    'They are kept as they came. Another gate judged them: they are no verdicts here, and nothing of them is replayed.',
    '',
  ].join('\n');
}
