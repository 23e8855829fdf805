import type { RunReplay } from '../../replay/report.ts';
import type { DataOf } from '../events/index.ts';
import { faultMessage, parseExact } from '../events/ingress.ts';
import { at as valueAt } from '../events/pointer.ts';
import type { SlotState, Unmet, Verdict } from '../events/verdict.ts';
import { rulesFor } from '../gate/index.ts';
import { listSlots, proposedArguments, type SlotList } from '../gate/slot-list.ts';
import type { SyncLog } from '../log/index.ts';
import { intentText } from '../preflight/question-text.ts';
import type { CallPlace, CallRow } from '../projections/call-row.ts';
import { blanksOf } from '../projections/gaps.ts';
import { carriedBy } from './carried.ts';
import { conditionsOf } from './conditions.ts';
import { happenedOf } from './happened.ts';
import { headlineOf } from './headline.ts';
import { incidentsOf } from './incidents.ts';
import { intentOf, settled } from './intent.ts';
import { limitsOf } from './limits.ts';
import { payloadFault } from './payload-fault.ts';
import { type CallRecord, openOf, readCall } from './record.ts';
import { type Heard, saidOf } from './said.ts';
import type { Explanation, Slot } from './schema.ts';
import { filledBy, REASON_SAYS, verdictSays } from './sentences.ts';
import { showsOf } from './where.ts';

export interface ExplainOptions {
  /** Replays the run that is explained; without it the explanation says that it was not replayed. */
  readonly replay?: () => RunReplay | null;
}

/**
 * Why one call ran, or did not: every value, condition and intent of its newest run with the place that it was confirmed
 * from, and for what was not, what each source said. Reads only the call's own rows: its newest run and what follows it, the
 * segments that the run saw, its declarations, its result.
 *
 * @param row its row as the projection of calls gives it: what is counted here and there is the same.
 * @throws GroundsError `explain/input-missing` where the log does not hold what the run rested on.
 */
export function explain(
  log: SyncLog,
  place: CallPlace,
  row: CallRow,
  options: ExplainOptions = {},
): Explanation {
  const record = asJudged(readCall(log, place));
  const shows = showsOf(record);
  const { run, verdict, started } = record;
  const heard = run === null ? null : { run, rules: rulesFor(run), walks: record.walks, shows };
  const intent =
    heard === null || verdict === null
      ? { when: null, act: null, tool: null }
      : intentOf(heard, record, verdict);
  const conditions =
    heard === null || verdict === null || verdict.slots === null ? null : conditionsOf(heard, verdict);
  const isCondition = (id: string): boolean => conditions?.some((condition) => condition.id === id) === true;
  const slots =
    heard === null || verdict === null || verdict.slots === null
      ? null
      : slotsOf(
          heard,
          record,
          verdict.slots.filter(({ slot }) => !isCondition(slot)),
        );
  const replayed = options.replay?.() ?? null;
  return {
    call: {
      id: row.call_id,
      tool: row.tool,
      recorded_at: record.started_at,
      run_id: started?.run ?? null,
      request_id: started?.request ?? row.request_id,
      conversation_id: started?.conversation ?? place.conversation,
      phase: started?.phase ?? null,
      arguments: row.arguments,
      outcome: row.outcome,
      origin:
        row.origin === null
          ? null
          : {
              file: row.origin.file,
              line: row.origin.line,
              message: row.origin.message + 1,
              message_index: row.origin.message,
            },
      supersedes: started?.supersedes ?? null,
      follows: started?.follows ?? null,
      events: record.rows.length + (record.end !== null && !record.rows.includes(record.end) ? 1 : 0),
    },
    headline: headlineOf(row, verdict, slots, conditions, replayed, isImported(record)),
    ...intent,
    slots,
    conditions,
    unmet: (verdict?.unmet ?? []).map((unmet) => ({
      slot: unmet.slot,
      reason: unmet.reason,
      says: unmetSays(heard, unmet, verdict),
      declared_by: unmet.declared_by,
      requested_by: shows(unmet.requested_by),
    })),
    not_run: (verdict?.not_run ?? []).map(({ slot, reason }) => ({
      slot,
      reason,
      says: REASON_SAYS[reason],
    })),
    reductions: [...(verdict?.reductions ?? [])],
    defects: (verdict?.defects ?? []).map(({ at, reason, declared_by }) => ({
      at,
      reason,
      says: REASON_SAYS[reason],
      declared_by,
    })),
    verdict:
      verdict === null
        ? null
        : {
            kind: verdict.kind,
            rule: verdict.rule,
            says: verdictSays(verdict.rule),
            unknown_count: verdict.unknown_count,
            next_attempt: verdict.next_attempt,
            ask: run === null || verdict.next_attempt === null ? null : intentText(run, verdict.intent),
            exhausted: verdict.exhausted,
            digest: row.verdict_digest,
          },
    gaps: verdict === null ? [] : blanksOf(verdict).map(({ slot, kind, owner }) => ({ slot, kind, owner })),
    rests_on: heard === null || started === null ? null : restsOn(heard, record, started),
    happened: happenedOf(record, row, shows),
    incidents: incidentsOf(log, place),
    replay:
      replayed === null
        ? null
        : {
            finding: replayed.finding,
            path: replayed.path,
            basis: replayed.basis,
            reproduce: replayed.reproduce,
          },
    limits: limitsOf(record, { tool: intent.tool, slots, conditions }),
  };
}

/** A run outside the gate is recorded, and not judged: what its verdict would have been is no part of why it ran. RULES R20. */
function asJudged(record: CallRecord): CallRecord {
  return record.started?.gated === false ? { ...record, verdict: null } : record;
}

function isImported({ rows }: CallRecord): boolean {
  return rows.some(({ type }) => type === 'RecordImported');
}

function restsOn(
  { run }: Heard,
  record: CallRecord,
  started: DataOf<'RunStarted'>,
): NonNullable<Explanation['rests_on']> {
  return {
    gate: run.gate,
    ruleset: run.ruleset,
    tool: { digest: run.tool_digest, version: record.versions.get(run.tool_digest) ?? null },
    checklists: run.checklists.map(({ digest, body }) => ({
      name: body.checklist,
      declared_by: body.declared_by,
      written_by: body.written_by ?? null,
      digest,
      version: record.versions.get(digest) ?? null,
    })),
    request_boundary: started.request_boundary,
  };
}

function slotsOf(heard: Heard, record: CallRecord, states: readonly SlotState[]): Slot[] {
  const list = listSlots(heard.run, heard.rules);
  return states.map((state) => slotOf(heard, record, list, state));
}

function slotOf(heard: Heard, record: CallRecord, list: SlotList, state: SlotState): Slot {
  const { run, rules, shows } = heard;
  const id = state.slot;
  const slot = list.slots.find((each) => each.id === id);
  const label = rules.labels.find((each) => each.id === id);
  const unknown = state.state === 'unknown' ? state : null;
  const common = settled(heard, state);
  const leaf = id === '/' ? undefined : valueAt(proposedArguments(run), id);
  return {
    id,
    kind: id === '/' ? 'arguments' : slot === undefined ? 'label' : 'value',
    ...common,
    says: label === undefined ? common.says : `${common.says}: ${label.text}`,
    declared_by: state.declared_by,
    proposed: leaf === undefined || !id.startsWith('/') ? null : { value: leaf },
    required: slot?.required ?? id === '/',
    source: state.state === 'unknown' ? null : state.source,
    origin: state.state === 'known' ? state.origin : null,
    by: state.state === 'known' ? shows(state.by) : null,
    filled_by: unknown === null ? null : filledBy(unknown),
    ask: slot?.rule?.ask ?? null,
    waits_for: unknown === null ? [] : [...unknown.waits_for],
    pending: unknown?.pending ?? false,
    candidate: shows(unknown?.candidate),
    said: slot === undefined ? [] : saidOf(heard, slot, state),
    carried: unknown === null || slot === undefined ? null : carriedBy(run, rules, slot, shows),
    fault: state.reason === 'arguments_unreadable' ? faultOf(record) : null,
    rejected: state.rejected.map(({ source, reason, place }) => ({
      source,
      reason,
      says: REASON_SAYS[reason],
      where: shows(place),
    })),
  };
}

/** What is wrong with arguments that could not be read: found again in the text as it was received. */
function faultOf({ started }: CallRecord): Slot['fault'] {
  const text = openOf(started?.proposal?.received);
  if (text === undefined) {
    return {
      code: 'missing',
      lexeme: '',
      pointer: '',
      line: null,
      column: null,
      says: 'The call carried no arguments.',
    };
  }
  const read = parseExact(text);
  if ('value' in read) {
    const lexeme = [...text].slice(0, 64).join('');
    return {
      code: 'not_an_object',
      lexeme,
      pointer: '',
      line: 1,
      column: 1,
      says: 'The arguments are not a JSON object.',
    };
  }
  const { code, lexeme, pointer, line, column } = read.fault;
  return { code, lexeme, pointer, line, column, says: faultMessage(read.fault) };
}

function unmetSays(heard: Heard | null, unmet: Unmet, verdict: Verdict | null): string {
  const says = REASON_SAYS[unmet.reason];
  if (heard === null || unmet.reason !== 'payload_invalid') return says;
  const fault = payloadFault(heard.run, verdict);
  if (fault === null) return says;
  return 'noPlaceFor' in fault
    ? `${says}: it has no place for ${fault.noPlaceFor.join(', ')}`
    : `${says} (${fault.keyword}, at ${fault.at})`;
}
