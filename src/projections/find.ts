import { sql } from 'kysely';
import type { Param } from '../log/index.ts';
import type { Side } from './tables.ts';

/** A call to offer, with what to type for it. */
export interface Candidate {
  readonly call_id: string;
  readonly ref: string;
  readonly tool: string;
}

export type Found =
  | { readonly kind: 'call'; readonly call_id: string }
  /** Several calls; at most ten of them, in the order of their refs. */
  | { readonly kind: 'several'; readonly calls: readonly Candidate[] }
  /** None; of those that a slip could have meant, the three closest. */
  | { readonly kind: 'none'; readonly closest: readonly Candidate[] };

interface Hit {
  readonly call_id: string;
  readonly id: string;
  readonly tool: string;
}

interface Imported {
  readonly call_id: string;
  readonly tool: string;
  readonly file: string;
  readonly line: number;
  readonly message: number;
}

const LEAST_PREFIX = 4;
const SHOWN = 10;
const CLOSEST = 3;

/**
 * What a person types for a call: its id or its newest or any earlier run's, whole or the first four characters and more,
 * with or without `call_`; or where it was imported from, as `file:line:message` or `line:message`. Every step is a bounded
 * number of index ranges, however large the log is.
 */
export function findOn(side: Side): (ref: string) => Found {
  const calls = side.prepare((q, param: Param<{ from: string; to: string; rows: number }>) =>
    q
      .selectFrom('side_calls')
      .select(['call_id', 'call_id as id', 'tool'])
      .where('call_id', '>=', param('from'))
      .where('call_id', '<', param('to'))
      .orderBy('call_id')
      .limit(sql<number>`${param('rows')}`),
  );
  const runs = side.prepare((q, param: Param<{ from: string; to: string; rows: number }>) =>
    q
      .selectFrom('side_runs')
      .innerJoin('side_calls', 'side_calls.position', 'side_runs.call')
      .select(['side_calls.call_id', 'side_runs.run_id as id', 'side_calls.tool'])
      .where('side_runs.run_id', '>=', param('from'))
      .where('side_runs.run_id', '<', param('to'))
      .orderBy('side_runs.run_id')
      .limit(sql<number>`${param('rows')}`),
  );
  const imported = side.prepare((q, param: Param<{ line: number; from: number; to: number; rows: number }>) =>
    q
      .selectFrom('side_calls')
      .select(['call_id', 'tool', 'file', 'line', 'message'])
      .where('line', '=', param('line'))
      .where('message', '>=', param('from'))
      .where('message', '<=', param('to'))
      .orderBy('message')
      .orderBy('position')
      .limit(sql<number>`${param('rows')}`),
  );
  const importedFrom = side.prepare((q, param: Param<{ file: string; line: number; message: number }>) =>
    q
      .selectFrom('side_calls')
      .select(['call_id', 'tool', 'file', 'line', 'message'])
      .where('line', '=', param('line'))
      .where('message', '=', param('message'))
      .where('file', '=', param('file'))
      .orderBy('position')
      .limit(SHOWN),
  );
  const importedAt = (line: number, from: number, to: number): Imported[] =>
    imported.all({ line, from, to, rows: 1000 }) as Imported[];
  const withPrefix = (prefix: string, rows: number): Hit[] => {
    const range = { from: prefix, to: `${prefix}\u{10ffff}`, rows };
    return [...calls.all(range), ...runs.all(range)];
  };

  const byId = (typed: string): Found | null => {
    const hits = withPrefix(typed, SHOWN + 1);
    const exact = hits.find(({ id }) => id === typed);
    if (exact !== undefined) return { kind: 'call', call_id: exact.call_id };
    const [first] = hits;
    if (first === undefined || typed.length < LEAST_PREFIX) return null;
    if (hits.every(({ call_id }) => call_id === first.call_id))
      return { kind: 'call', call_id: first.call_id };
    return { kind: 'several', calls: once(hits.map(candidateOf)).slice(0, SHOWN) };
  };

  const byOrigin = (file: string | undefined, line: number, message: number): Found => {
    const own = ({ file: stored }: Imported): boolean =>
      file === undefined || stored === file || stored.endsWith(`/${file}`);
    const exact = file === undefined ? [] : (importedFrom.all({ file, line, message }) as Imported[]);
    const hits = exact.length > 0 ? exact : importedAt(line, message, message).filter(own);
    const [first] = hits;
    if (first !== undefined && hits.length === 1) return { kind: 'call', call_id: first.call_id };
    if (hits.length > 0) {
      // Calls of one message share a reference, and only their ids tell them apart.
      const oneMessage = hits.every((hit) => hit.file === first?.file);
      const calls = hits.map((hit) =>
        oneMessage ? candidateOf({ ...hit, id: hit.call_id }) : originOf(hit),
      );
      return { kind: 'several', calls: calls.slice(0, SHOWN) };
    }
    const near = importedAt(line, Math.max(0, message - 20), message + 20);
    const distance = (one: Imported): number => (own(one) ? 0 : 1000) + Math.abs(one.message - message);
    return { kind: 'none', closest: nearestOf(near, distance).map(originOf) };
  };

  return (ref) => {
    const typed = ref
      .trim()
      .replace(/(…|\.\.\.)$/, '')
      .replace(/^(call|run)[_/]/, '');
    const origin = /^(?:(.+):)?(\d{1,9}):(\d{1,9})$/.exec(typed);
    if (origin !== null) return byOrigin(origin[1], Number(origin[2]), Number(origin[3]));
    if (typed === '') return { kind: 'none', closest: [] };
    const lower = typed.toLowerCase();
    return (
      byId(typed) ??
      byId(lower) ?? {
        kind: 'none',
        closest: nearestOf(
          neighbours(lower, withPrefix).filter(({ id }) => slipsBetween(lower, id) <= slipsIn(lower)),
          ({ id }) => slipsBetween(lower, id),
        ).map(candidateOf),
      }
    );
  };
}

function candidateOf({ call_id, id, tool }: Hit): Candidate {
  return { call_id, ref: id, tool };
}

function originOf({ call_id, tool, file, line, message }: Imported): Candidate {
  return { call_id, ref: `${file}:${line}:${message}`, tool };
}

function once(candidates: readonly Candidate[]): Candidate[] {
  return [...new Map(candidates.map((one) => [one.call_id, one])).values()];
}

/** The nearest three calls, each once. */
function nearestOf<T extends { readonly call_id: string }>(
  candidates: readonly T[],
  distance: (one: T) => number,
): T[] {
  const ranked = candidates
    .map((one) => ({ one, far: distance(one) }))
    .sort((a, b) => a.far - b.far || (a.one.call_id < b.one.call_id ? -1 : 1));
  const nearest = new Map<string, T>();
  for (const { one } of ranked) {
    if (nearest.size === CLOSEST) break;
    if (!nearest.has(one.call_id)) nearest.set(one.call_id, one);
  }
  return [...nearest.values()];
}

const HEX = [...'0123456789abcdef-'];
/** So many characters tell ids apart in any log of a size that a file can hold. */
const TELLING = 8;
const EACH = 3;

/**
 * Ids near a mistyped one: those that share its beginning, and those that one slip away from its first characters (another
 * character, one too many, one left out, two swapped) would have been found under.
 */
function neighbours(typed: string, withPrefix: (prefix: string, rows: number) => Hit[]): Hit[] {
  const head = typed.slice(0, TELLING);
  const slips = new Set<string>();
  for (let i = 0; i < head.length; i++) {
    const before = head.slice(0, i);
    const after = head.slice(i + 1);
    slips.add(before + after + typed.slice(TELLING, TELLING + 1));
    slips.add(before + after.slice(0, 1) + head.slice(i, i + 1) + after.slice(1));
    for (const other of HEX) {
      slips.add(before + other + after);
      slips.add(before + other + head.slice(i));
    }
  }
  const hits: Hit[] = [];
  for (const slip of slips) if (slip.length >= 3) hits.push(...withPrefix(slip, EACH));
  for (let length = head.length; length >= 0 && hits.length < CLOSEST * 4; length--) {
    hits.push(...withPrefix(head.slice(0, length), CLOSEST * 4));
  }
  return hits;
}

/** So many slips a person makes; what is farther off was not meant. */
function slipsIn(typed: string): number {
  return typed.length <= LEAST_PREFIX ? 1 : Math.max(2, Math.floor(typed.length / TELLING));
}

/** The typed text may be a beginning, and itself a character short or long. */
function slipsBetween(typed: string, id: string): number {
  return Math.min(...[-1, 0, 1].map((more) => edits(typed, id.slice(0, typed.length + more))));
}

/** Levenshtein distance; both are short. */
function edits(a: string, b: string): number {
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (last[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(changed, (last[j] as number) + 1, (row[j - 1] as number) + 1));
    }
    last = row;
  }
  return last[b.length] as number;
}
