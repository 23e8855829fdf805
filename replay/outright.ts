import { plainOf } from '../src/events/content.ts';
import { isInstant, isUuid } from '../src/events/identity.ts';
import { EVENTS, type EventType } from '../src/events/index.ts';
import type { Json } from '../src/events/json.ts';
import { walksOf } from '../src/events/walk.ts';
import type { Lookup, RunInput } from '../src/gate/types.ts';
import { leafOfText, type StoredRow } from '../src/log/index.ts';
import { isSame } from './difference.ts';
import type { Gate } from './gates.ts';
import { restsOn, type StartedRun, withinTheStart } from './recorded.ts';
import type { RunReplay } from './report.ts';
import { brokenInput, ofRun, type ReplayAround } from './run.ts';

/**
 * Replays an imported run from its `RunStarted` alone: the gate asks, the log answers, as the import had it, and what comes of
 * it is compared with the rows of its lookups and its verdict byte for byte. Rows that are equal need no reading: they are
 * canonical, of their shape, in their own stream, and say what asking again says. null where anything is otherwise; then the
 * rows are read, and `replayRun` tells what it is.
 */
export function replayOutright(
  run: StartedRun,
  rows: readonly StoredRow[],
  around: ReplayAround,
): RunReplay | null {
  const { started } = run;
  const gate = around.gates(started.gate);
  if (gate?.drive === undefined || started.origin === null || started.request_boundary !== 'assumed')
    return null;
  const { resolver } = around;
  if (resolver.held(started.conversation) < started.segments || withinTheStart(run, resolver) !== null)
    return null;
  const inputs = resolver.resolve(started, run.position);
  if (inputs.run === null || brokenInput(inputs.at, started, around) !== null) return null;
  const lookups = madeAgain(inputs.run, run, rows, gate as Required<Gate>);
  if (lookups === null) return null;
  around.recomputed?.([run, ...rows], lookups, inputs.at);
  return ofRun(run, { finding: 'MATCH' }, around);
}

/** The lookups of a run whose rows come out the same; null where one does not, or the gate throws. */
function madeAgain(
  input: RunInput,
  { started }: StartedRun,
  rows: readonly StoredRow[],
  { drive, isGated, locate }: Required<Gate>,
): readonly Lookup[] | null {
  try {
    const prepared = input.proposal?.prepared ?? null;
    if (isGated(input, prepared === null ? undefined : plainOf(prepared)) !== started.gated) return null;
    const { lookups, verdict } = drive(input, (request) => locate(input, request));
    const made = [
      ...walksOf(lookups).map((walk) => ({ type: 'LookupPerformed' as const, data: walk })),
      { type: 'VerdictRecorded' as const, data: { verdict } },
    ];
    const same =
      isSame(verdict.rests_on as Json, restsOn(started) as Json) &&
      made.length === rows.length &&
      made.every(({ type, data }, index) => holds(rows[index] as StoredRow, type, data));
    return same ? lookups : null;
  } catch {
    return null;
  }
}

/** Where the time stands in an event's bytes, and how long it and the id are. */
const AT = '{"at":"'.length;
const AT_LENGTH = '2026-01-31T09:30:00.000Z'.length;
const ID_LENGTH = 36;

/**
 * Whether a row holds this very event; only its time and its id are its own. What a gate makes from a run alone stands in
 * canonical order (a law of the gate), so that its plain JSON text is the canonical one.
 */
function holds(row: StoredRow, type: EventType, data: unknown): boolean {
  const { stream } = row;
  const { schema } = EVENTS[type];
  const bytes = Buffer.from(row.bytes.buffer, row.bytes.byteOffset, row.bytes.byteLength);
  const behind = `","schema":${schema},"stream":"${stream}","type":"${type}"}`;
  const end = bytes.length - behind.length;
  const at = bytes.toString('latin1', AT, AT + AT_LENGTH);
  const id = bytes.toString('latin1', end - ID_LENGTH, end);
  if (row.type !== type || !isInstant(at) || !isUuid(id)) return false;
  const made = leafOfText(`{"at":"${at}","data":${JSON.stringify(data)},"id":"${id}${behind}`);
  return made.bytes.equals(row.bytes) && made.leaf.equals(row.leaf);
}
