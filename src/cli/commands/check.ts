import { type Checked, checkRun } from '../check-run.ts';
import { type DeclaredOptions, declaredBy } from '../declared.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { notesBlock } from '../notes-block.ts';
import { readRequest } from '../read-request.ts';
import { recordingInto } from '../recording-into.ts';
import { requestsIn } from '../request-lines.ts';
import { callFound } from '../rows.ts';
import { wrapped } from '../text.ts';
import { verdictText } from '../verdict-text.ts';
import { whichLog } from '../which-log.ts';
import { whyUndetermined } from '../why-undetermined.ts';
import { type WouldAsk, wouldAsk } from '../would-ask.ts';

export interface CheckCommandOptions extends DeclaredOptions {
  readonly json?: boolean;
  readonly db?: string;
  readonly maxPages?: number;
}

/**
 * Judges requests and records them, each in its own commit before its answer is printed.
 * @returns 0 where every one is executable or outside the gate; else 1, so that `check … && run` is safe
 */
export async function check(
  io: Io,
  name: string,
  last: string | undefined,
  options: CheckCommandOptions,
): Promise<number> {
  const file = whichLog(last, options.db);
  const declared = declaredBy(options);
  let recording: ReturnType<typeof recordingInto> | null = null;
  let exit = 0;
  const told = new Set<string>();
  try {
    for await (const { received, line } of requestsIn(io, name)) {
      const origin = { file: name === '-' ? 'stdin' : name, line };
      const request = readRequest(received, origin);
      // Only now, so that a request that can't be read leaves no empty log behind.
      recording ??= recordingInto(file, declared, options.maxPages);
      const checked = checkRun(recording, request);
      if (!mayRun(checked)) exit = 1;
      const { row } = callFound(recording.log, checked.call_id);
      const asks = wouldAsk(recording.log, checked);
      const lacks = whyUndetermined(checked, [...declared.tools.keys()]);
      if (options.json === true) {
        const { added, verdict } = checked;
        const { id } = request;
        const notes = [...lacks, ...request.notes];
        io.out(`${jsonText({ id, ...row, added, record: verdict, asks, notes })}\n`);
        continue;
      }
      io.out(verdictText(row, checked, asks, file));
      // What is lacking and how to go on is the same after each request: it is said once.
      for (const line of [...lacks, ...goesOn(asks, checked.verdict)]) {
        if (!told.has(line)) io.out(`${wrapped(line, io.width, '  ')}\n`);
        told.add(line);
      }
      // Many requests of one program leave the same open: each note once.
      const fresh = request.notes.filter((note) => !told.has(note));
      for (const note of fresh) told.add(note);
      if (fresh.length > 0) io.out(`\n${notesBlock('requests', fresh, io.width)}\n\n`);
    }
  } finally {
    await recording?.log.close();
  }
  return exit;
}

/** `check` asks nobody and keeps nothing: what is open, or waits, comes back to it with the next request. */
function goesOn(asks: readonly WouldAsk[], { kind }: Checked['verdict']): string[] {
  return [
    ...(asks.some(({ about }) => about === 'intent' || about === 'tool')
      ? [
          'check asks nobody. Bring what the user says with the next request, at the end of "conversation", under the same "id" and "conversation_id": what they mean is read from their own words, never from "answers".',
        ]
      : []),
    ...(asks.some(({ about }) => about === 'slots' || about === 'approval')
      ? [
          'check asks nobody. Bring what the user says with the next request under the same "id": "answers" by slot, or their words at the end of "conversation", with the same "conversation_id". A yes to a [Verify] line, and grounds answer and approve, take a live gate: docs/preflight.md.',
        ]
      : []),
    ...(kind === 'schedulable'
      ? [
          'check keeps nothing for later. When its time has come, bring it again under the same id, with "trigger"; grounds trigger is for what a live gate deferred: docs/asking.md.',
        ]
      : []),
  ];
}

function mayRun({ gated, verdict }: Checked): boolean {
  return !gated || (verdict.kind === 'executable' && verdict.unknown_count === 0);
}
