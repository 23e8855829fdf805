import { isGroundsError } from '../src/errors.ts';
import { plainOf } from '../src/events/content.ts';
import type { Json } from '../src/events/json.ts';
import type { Environment, RunStarted } from '../src/events/run.ts';
import type { Verdict } from '../src/events/verdict.ts';
import { lookupsOf } from '../src/events/walk.ts';
import type { RunInput, Step } from '../src/gate/types.ts';
import type { Coverage } from './coverage.ts';
import { firstDifference } from './difference.ts';
import type { Gate, Gates } from './gates.ts';
import {
  type Found,
  idOf,
  pathOf,
  type Recorded,
  type RecordedRun,
  type StartedRun,
  withinTheLog,
} from './recorded.ts';
import type { RunReplay } from './report.ts';
import type { InputsAt, Resolver } from './resolve.ts';

export interface ReplayAround {
  readonly resolver: Resolver;
  readonly gates: Gates;
  /** What this process runs on, to note differences; null notes none. */
  readonly environment: Environment | null;
  /** What the run was given otherwise than the log had it then. */
  readonly given?: (run: RecordedRun) => Found | null;
  /** What was found of the row at a position, where it can't be relied on. */
  readonly broken?: (position: number) => 'INPUT_TAMPERED' | 'INPUT_MISSING' | null;
  /** Is told when a run was recomputed: its own events, in order, and from where. */
  readonly recomputed?: Coverage['recomputed'];
}

/**
 * Replays one run: the gate that judged it, on what the log holds, with the recorded lookups in place of the world. Pure and
 * synchronous. One finding a run, the first of: INPUT_TAMPERED, INPUT_MISSING, GATE_NOT_SHIPPED, LOOKUP_DIFFERS (which is
 * why others would be missing or unused), LOOKUP_MISSING, LOOKUP_UNUSED, VERDICT_DIFFERS. Whatever the gate throws on
 * recorded input is a finding too.
 */
export function replayRun(run: RecordedRun, around: ReplayAround): RunReplay {
  return ofRun(run, examine(run, around), around);
}

/** A finding of a run. */
export function ofRun(
  { started, stream, position }: StartedRun,
  found: Found,
  around: ReplayAround,
): RunReplay {
  const environment = environmentNotes(started.environment, around.environment);
  return runReplay({ run_id: started.run, call_id: callOf(stream), position }, found, { environment });
}

/** A finding with every field in place. */
export function runReplay(
  of: Pick<RunReplay, 'run_id' | 'call_id' | 'position'>,
  found: Found,
  beside: Partial<Pick<RunReplay, 'environment'>> = {},
): RunReplay {
  return {
    ...of,
    finding: found.finding,
    code: found.code ?? null,
    at: found.at ?? null,
    path: found.path ?? null,
    recorded: found.recorded ?? null,
    recomputed: found.recomputed ?? null,
    basis: 'recomputed',
    environment: beside.environment ?? {},
    reproduce: of.run_id === null ? 'grounds replay' : `grounds replay --only ${of.run_id}`,
  };
}

/** The call whose stream this is. */
export function callOf(stream: string): string {
  return stream.slice(stream.indexOf('/') + 1);
}

function examine(run: RecordedRun, around: ReplayAround): Found {
  const { started, position } = run;
  const lookups = run.walks.flatMap(({ position: at, walk }) =>
    lookupsOf([walk]).map((lookup): Recorded => ({ at, lookup })),
  );
  const contradiction = withinTheLog(run, lookups, around.resolver);
  if (contradiction !== null) return contradiction;
  const otherwise = around.given?.(run) ?? null;
  if (otherwise !== null) return otherwise;

  const resolved = around.resolver.resolve(started, position);
  if (resolved.run === null) {
    const { stream, digest } = resolved.missing;
    return { finding: 'INPUT_MISSING', code: 'not_held', at: position, path: stream, recorded: digest };
  }
  const { run: input, at } = resolved;
  const unreliable = brokenInput(at, started, around);
  if (unreliable !== null) return unreliable;

  const gate = around.gates(started.gate);
  if (gate === null) return { finding: 'GATE_NOT_SHIPPED', at: position, recorded: started.gate };
  around.recomputed?.(
    [run, ...run.walks, run.verdict],
    lookups.map(({ lookup }) => lookup),
    at,
  );
  return recompute(run, lookups, input, gate);
}

export function brokenInput(
  { declarations, segments }: InputsAt,
  started: RunStarted,
  { broken }: ReplayAround,
): Found | null {
  let missing: Found | null = null;
  for (const at of [...declarations, ...segments.slice(0, started.segments)]) {
    const finding = broken?.(at) ?? null;
    if (finding === 'INPUT_TAMPERED') return { finding, code: 'input', at };
    if (finding !== null) missing ??= { finding, code: 'newer', at };
  }
  return missing;
}

function recompute(run: RecordedRun, lookups: readonly Recorded[], input: RunInput, gate: Gate): Found {
  const { started, verdict, position } = run;
  const prepared = started.proposal?.prepared ?? null;
  const gated = tried(() => gate.isGated(input, prepared === null ? undefined : plainOf(prepared)));
  if ('threw' in gated) return threw(gated.threw, position, '/gated', started.gated);
  if (gated.value !== started.gated) {
    const path = '/gated';
    return {
      finding: 'INPUT_TAMPERED',
      code: 'gated',
      at: position,
      path,
      recorded: started.gated,
      recomputed: gated.value,
    };
  }
  const stepped = tried<Step>(() =>
    gate.step(
      input,
      lookups.map(({ lookup }) => lookup),
    ),
  );
  const asked = 'value' in stepped && 'verdict' in stepped.value ? stepped.value.asked : null;
  const requests = asked === null ? null : new Set<string>(asked.map(idOf));
  let unused: Recorded | null = null;
  for (const recorded of lookups) {
    if (requests !== null && !requests.delete(idOf(recorded.lookup.request))) {
      unused ??= recorded;
      continue;
    }
    const differs = askedAgain(recorded, input, started, gate);
    if (differs !== null) return differs;
  }
  if ('threw' in stepped) return threw(stepped.threw, verdict.position, '', null);
  const open = 'need' in stepped.value ? stepped.value.need[0] : asked?.find((it) => requests?.has(idOf(it)));
  if (open !== undefined) {
    return { finding: 'LOOKUP_MISSING', at: position, path: pathOf(open), recomputed: open };
  }
  if (unused !== null) {
    const { request } = unused.lookup;
    return { finding: 'LOOKUP_UNUSED', at: unused.at, path: pathOf(request), recorded: request };
  }
  const again = (stepped.value as Extract<Step, { verdict: Verdict }>).verdict;
  const difference = firstDifference(verdict.verdict as Json, again as Json);
  return difference === null
    ? { finding: 'MATCH' }
    : { finding: 'VERDICT_DIFFERS', at: verdict.position, ...difference };
}

/**
 * Asks the locator or the log again, and compares. What a hook said of the world can't be asked again; but in an import
 * nothing came from a hook, and what the user answered and what ran before never does.
 */
function askedAgain(recorded: Recorded, input: RunInput, started: RunStarted, gate: Gate): Found | null {
  const { at, lookup } = recorded;
  const { request, by, outcome } = lookup;
  const byHook = by === 'hook' && started.origin === null;
  if (byHook && request.source !== 'user_answer' && request.source !== 'prior_state') return null;
  const path = pathOf(request);
  const again = tried(() => gate.locate(input, request));
  if ('threw' in again) {
    if (again.threw === 'events/sealed') return threw(again.threw, at, path, outcome);
    return {
      finding: 'LOOKUP_DIFFERS',
      code: 'gate_threw',
      at,
      path,
      recorded: outcome,
      recomputed: { threw: again.threw },
    };
  }
  const { by: byAgain, outcome: outcomeAgain } = again.value;
  if (firstDifference(outcome as Json, outcomeAgain as Json) !== null) {
    return {
      finding: 'LOOKUP_DIFFERS',
      code: 'outcome',
      at,
      path,
      recorded: outcome,
      recomputed: outcomeAgain,
    };
  }
  if (by === byAgain) return null;
  return { finding: 'LOOKUP_DIFFERS', code: 'by', at, path, recorded: by, recomputed: byAgain };
}

/** Only the code: message texts differ between engines. */
function tried<T>(work: () => T): { readonly value: T } | { readonly threw: string } {
  try {
    return { value: work() };
  } catch (error) {
    return { threw: isGroundsError(error) ? error.code : 'exception' };
  }
}

function threw(code: string, at: number, path: string, recorded: unknown): Found {
  if (code === 'events/sealed') return { finding: 'INPUT_MISSING', code: 'sealed', at, path };
  return { finding: 'VERDICT_DIFFERS', code: 'gate_threw', at, path, recorded, recomputed: { threw: code } };
}

function environmentNotes(recorded: Environment, present: Environment | null): RunReplay['environment'] {
  const notes: Record<string, { recorded: string; present: string }> = {};
  for (const name of ['node', 'v8', 'icu', 'unicode', 'tz'] as const) {
    if (present === null || present[name] === recorded[name]) continue;
    notes[name] = { recorded: recorded[name], present: present[name] };
  }
  return notes;
}
