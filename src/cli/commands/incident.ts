import { nearest } from '../../declarations/nearest.ts';
import { Instant } from '../../events/identity.ts';
import { makeEvent, streamOf } from '../../events/index.ts';
import { randomId } from '../../events/random-id.ts';
import type { Verdict } from '../../events/verdict.ts';
import { responderOf } from '../../preflight/by.ts';
import { type Attribution, attributionOf } from '../../projections/attribution.ts';
import { standingOf } from '../../runs/standing.ts';
import { findCall } from '../find-call.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { byOf } from '../live-around.ts';
import { caughtUp, reading } from '../open-log.ts';
import { usage } from '../report-error.ts';
import { columns, printable } from '../text.ts';
import { whichLog } from '../which-log.ts';

export interface IncidentOptions {
  readonly json?: boolean;
  readonly db?: string;
  readonly slot?: readonly string[];
  readonly text: string;
  readonly user?: string;
  readonly happenedAt?: string;
}

/** Records that a person says that a call was wrong, and tells where each named slot was confirmed from. */
export async function incident(
  io: Io,
  ref: string,
  last: string | undefined,
  options: IncidentOptions,
): Promise<void> {
  const happened = options.happenedAt === undefined ? null : instantOf(options.happenedAt);
  await reading(whichLog(last, options.db), async (log) => {
    const { row } = findCall(caughtUp(io, log), ref, log);
    const run = standingOf(log, row.call_id)?.run ?? null;
    const verdict = run?.verdict?.verdict ?? null;
    const slots = options.slot ?? [];
    for (const slot of slots) requireSlot(verdict, slot);
    const event = makeEvent(
      'IncidentReported',
      {
        run: run?.id ?? null,
        slots,
        text: { plain: options.text },
        by: options.user === undefined ? null : responderOf(log, byOf({ user: options.user })),
        happened_at: happened,
      },
      { id: randomId(), at: new Date().toISOString() },
    );
    await log.append({
      writes: [{ stream: streamOf.call(row.call_id), expected: 'exists', events: [event] }],
    });
    const attributed = slots.map((slot) => attributionOf(verdict, slot));
    if (options.json === true)
      io.out(
        `${jsonText({ incident: event.id, call_id: row.call_id, run_id: run?.id ?? null, slots: attributed })}\n`,
      );
    else io.out(text(row.call_id, attributed));
  });
}

function text(call: string, attributed: readonly Attribution[]): string {
  const lines = columns(
    attributed.map(({ slot, state, source, origin, rule, owner }) => [
      slot,
      state === null ? 'not in the verdict' : `${state}${rule === null ? '' : ` ${rule}`}`,
      source === null
        ? '–'
        : origin === null || origin === source
          ? source
          : `${source}, first from ${origin}`,
      `→ ${owner.replaceAll('_', ' ')}`,
    ]),
  );
  return [`Recorded with the call ${call}.`, ...lines.map((line) => `  ${printable(line)}`), ''].join('\n');
}

/** A slot that the verdict does not have could be attributed to nobody; without a list of slots there is nothing to hold it against. */
function requireSlot(verdict: Verdict | null, slot: string): void {
  if (verdict === null || verdict.slots === null) return;
  const known = [...verdict.intent, ...verdict.slots].map(({ slot: id }) => id);
  if (known.includes(slot)) return;
  const meant = nearest(slot, known);
  throw usage(
    `The call has no slot ${slot}.`,
    `${meant === undefined ? '' : `Did you mean ${meant}? `}It has ${known.join(', ')}.`,
  );
}

function instantOf(text: string): string {
  const time = Date.parse(text);
  if (Number.isFinite(time) && /^\d{4}-\d\d-\d\d/.test(text)) {
    const instant = new Date(time).toISOString();
    if (Instant.safeParse(instant).success) return instant;
  }
  throw usage('--happened-at is no time.', 'Give ISO 8601 with a zone, for example 2026-01-31T09:30:00Z.');
}
