import { type Importer, importerOf } from '../../audit/import.ts';
import { GroundsError, isGroundsError } from '../../errors.ts';
import type { SqliteLog } from '../../log/index.ts';
import type { Conversation } from '../../transcripts/index.ts';
import { auditScreen, withoutGroundsLine } from '../audit-screen.ts';
import { type AuditSummary, tally } from '../audit-tally.ts';
import { conversationsIn } from '../conversations.ts';
import { type DeclaredOptions, declaredBy } from '../declared.ts';
import { thresholdOf } from '../fail-on.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { progressOn } from '../progress.ts';
import { recordingInto } from '../recording-into.ts';
import { usage } from '../report-error.ts';
import { callFound } from '../rows.ts';
import { plural } from '../text.ts';
import { requireFiles } from '../transcript-files.ts';
import { splitLog } from '../which-log.ts';

export interface AuditOptions extends DeclaredOptions {
  readonly json?: boolean;
  readonly db?: string;
  readonly format?: string;
  readonly keepGoing?: boolean;
  readonly failOn?: string;
  readonly maxPages?: number;
  /** false: the log is deleted afterwards, so nothing points to it. Default: it stays. */
  readonly leftBehind?: boolean;
}

/**
 * Records what the gate would have found for calls that already ran, and tells which ran without grounds. What is declared,
 * and that every file is there, is checked before anything is written. A conversation is recorded whole or not at all; a
 * faulty line ends the import, and running it again goes on from there, since nothing is recorded twice.
 *
 * @returns 0; 1 past `--fail-on`; 2 where `--keep-going` skipped something
 */
export async function audit(io: Io, given: readonly string[], options: AuditOptions): Promise<number> {
  const { files, log: file } = splitLog(given, options.db);
  if (files.length === 0) {
    throw usage('No transcript is named, only a log.', 'Name the transcripts before the log.');
  }
  const threshold = thresholdOf(options.failOn);
  const declared = declaredBy(options);
  requireFiles(files);

  const found = imported(io, files, file, declared, options);
  const counted = tally();
  if (found.log !== null) {
    const { log, calls } = found;
    try {
      for (const call of calls) {
        const each = callFound(log, call);
        const { row } = each;
        counted.add(each);
        if (options.json === true) io.out(`${jsonText(row)}\n`);
        else if (row.ran_without_grounds) io.out(`${withoutGroundsLine(row, io)}\n`);
      }
    } finally {
      await log.close();
    }
  }
  const counts = counted.counts();
  const summary: AuditSummary = {
    ...counts,
    conversations: found.conversations,
    added: found.added,
    checklists: declared.checklists.map(({ digest }) => digest),
    log: file,
    faults: found.faults.map(({ code, message }) => ({ code, message })),
    notes: [...found.notes],
  };
  if (options.json === true) io.out(`${jsonText(summary)}\n`);
  else
    io.out(
      `${counts.ran_without_grounds > 0 ? '\n' : ''}${auditScreen(summary, io, options.leftBehind !== false)}`,
    );
  if (found.faults.length > 0) return 2;
  if (threshold === null || counts.ran_without_grounds <= threshold) return 0;
  const ran = plural(counts.ran_without_grounds, 'call');
  io.err(`grounds: ${ran} ran without grounds, and --fail-on allows ${threshold}: exit code 1.\n`);
  return 1;
}

interface Found {
  /** null where there was nothing to record: then no log was made either. */
  readonly log: SqliteLog | null;
  readonly calls: ReadonlySet<string>;
  readonly conversations: number;
  readonly added: number;
  readonly faults: readonly GroundsError[];
  readonly notes: ReadonlySet<string>;
}

function imported(
  io: Io,
  files: readonly string[],
  file: string,
  declared: ReturnType<typeof declaredBy>,
  options: AuditOptions,
): Found {
  const to: { recording: ReturnType<typeof recordingInto> | null; importer: Importer | null } = {
    recording: null,
    importer: null,
  };
  const calls = new Set<string>();
  const notes = new Set<string>();
  const faults: GroundsError[] = [];
  let conversations = 0;
  let added = 0;
  const progress = progressOn(io);

  const add = (conversation: Conversation): void => {
    // Only now, so that a faulty first line leaves no empty log behind.
    to.recording ??= recordingInto(file, declared, options.maxPages);
    to.importer ??= importerOf(to.recording);
    for (const call of to.importer.add(conversation)) {
      calls.add(call.call_id);
      if (call.added) added++;
    }
    conversations++;
    for (const note of conversation.notes) notes.add(note);
  };

  try {
    for (const transcript of files) {
      for (const conversation of conversationsIn(transcript, options, faults)) {
        try {
          add(conversation);
        } catch (error) {
          const located = locatedAt(error, conversation);
          if (options.keepGoing !== true || !isGroundsError(located) || isOfLog(located)) throw located;
          faults.push(located);
        }
        progress.tell(
          `${transcript}  ${plural(conversations, 'conversation')}, ${plural(calls.size, 'call')}`,
        );
      }
    }
  } catch (error) {
    void to.recording?.log.close();
    throw calls.size === 0 ? error : withRecorded(error, calls.size, file);
  } finally {
    progress.clear();
  }
  return { log: to.recording?.log ?? null, calls, conversations, added, faults, notes };
}

function isOfLog(error: GroundsError): boolean {
  return error.code.startsWith('log/');
}

function locatedAt(error: unknown, { origin }: Conversation): unknown {
  if (!isGroundsError(error) || isOfLog(error)) return error;
  return new GroundsError(error.code, `${origin.file}, line ${origin.line}: ${error.message}`, {
    facts: { ...error.facts, file: origin.file, line: origin.line },
    hint: error.hint,
    exit: error.exit,
    cause: error,
  });
}

function withRecorded(error: unknown, calls: number, log: string): unknown {
  if (!isGroundsError(error)) return error;
  const rest = isOfLog(error) ? '' : ', or with --keep-going to skip such parts';
  return new GroundsError(error.code, error.message, {
    facts: { ...error.facts, calls_recorded: calls },
    hint: `${error.hint} The ${plural(calls, 'call')} before it stand in ${log}: run the same again to go on${rest}.`,
    exit: error.exit,
    cause: error,
  });
}
