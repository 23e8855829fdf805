import type { Json } from '../../src/events/json.ts';
import type { Claim, Lookup, LookupRequest } from '../../src/events/lookup.ts';
import type { Place } from '../../src/events/place.ts';
import { readerOf } from '../../src/gate/readers/index.ts';
import type { Reader } from '../../src/gate/readers/reader.ts';
import type { RunInput } from '../../src/gate/types.ts';
import {
  all,
  bodyOf,
  contextFor,
  equal,
  type InForce,
  isError,
  plain,
  proposed,
  raw,
  textAt,
  typedAnywhere,
} from './reference-world.ts';

export type FactDecl = InForce['facts'][string];
type Alternative = FactDecl['measured_by'][number];

export interface Instance {
  readonly id: string;
  readonly name: string;
  readonly decl: FactDecl;
  readonly index: number | null;
}

/** R8b: measured, absent, unfinished, failed, waits; `refused`: what was claimed is no such measurement. */
export type FactOutcome =
  | { readonly is: 'measured'; readonly records: readonly Place[] }
  | { readonly is: 'absent' | 'unfinished' | 'failed' }
  | { readonly is: 'refused'; readonly reason: string; readonly place: Place }
  | { readonly is: 'waits'; readonly on: readonly string[] };

/** The parts of a status line, by a template's fixed words. */
export function partsOf(
  template: string,
  text: string,
): Record<string, { start: number; end: number }> | null {
  const names: string[] = [];
  const pattern = template
    .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replace(/\{([a-z][a-z0-9_]*)\}/g, (_, name) => {
      names.push(name);
      return '([\\s\\S]+?)';
    });
  const found = new RegExp(`^${pattern}$`, 'd').exec(text);
  if (found === null) return null;
  return Object.fromEntries(
    names.map((name, i) => {
      const [start, end] = found.indices?.[i + 1] ?? [0, 0];
      return [name, { start, end }];
    }),
  );
}

function templated(run: RunInput, decl: FactDecl, segment: number) {
  const text = textAt(run, segment);
  const tool = run.segments[segment]?.observes?.tool;
  if (text === null) return null;
  for (const { template, tool: own } of decl.measured_by) {
    const parts = template === undefined || own !== tool ? null : partsOf(template, text);
    if (parts !== null) return { text, parts };
  }
  return null;
}

/** A record as expressions see it. */
export function recordAt(run: RunInput, decl: FactDecl, record: Place): Json | undefined {
  if (record.in === 'json') return raw(run, record);
  if (record.in !== 'text') return undefined;
  const line = templated(run, decl, record.segment);
  if (line === null) return undefined;
  return Object.fromEntries(
    Object.entries(line.parts).map(([name, { start, end }]) => [name, line.text.slice(start, end)]),
  );
}

/** Every place of a path in a record. */
export function fieldsAt(
  run: RunInput,
  decl: FactDecl,
  record: Place,
  path: string,
): { place: Place; value: Json }[] {
  if (record.in === 'json') {
    return all(raw(run, record), path).map(({ pointer, value }) => ({
      place: { ...record, pointer: record.pointer + pointer },
      value,
    }));
  }
  if (record.in !== 'text') return [];
  const line = templated(run, decl, record.segment);
  if (line === null) return [];
  return Object.entries(line.parts)
    .filter(([name]) => path === `/${name}` || path === '/*')
    .map(([, { start, end }]) => ({
      place: { in: 'text', segment: record.segment, start, end },
      value: line.text.slice(start, end),
    }));
}

/** Alternatives with the same keys are asked together: the latest match among them counts. */
export function questionsOf(decl: FactDecl): { refs: string[]; alternatives: Alternative[] }[] {
  const out: { refs: string[]; alternatives: Alternative[] }[] = [];
  for (const alternative of decl.measured_by) {
    const refs = [...new Set(Object.values(alternative.match))].sort();
    const same = out.find((question) => equal(question.refs, refs));
    if (same === undefined) out.push({ refs, alternatives: [alternative] });
    else same.alternatives.push(alternative);
  }
  return out;
}

/** Where nothing is proposed: what the words mean, or what stands in the record. */
function valueThere(run: RunInput, rules: InForce, reader: Reader, place: Place): Json | undefined {
  const there = raw(run, place) as Json;
  const context = contextFor(run, rules, place.in === 'entry' ? null : place.segment);
  const text = place.in === 'text' ? bodyOf(run, place.segment) : null;
  const words =
    typeof text === 'string' && place.in === 'text' ? reader.readAt(text, place, context) : undefined;
  return words ?? reader.fromJson(there, context);
}

/** How a value is told to be the key's: a slot's by its reader, another fact's field exactly. */
function keyTest(
  run: RunInput,
  rules: InForce,
  instance: Instance,
  key: LookupRequest['key'],
  readerFor: (slot: string, value: Json) => string,
): ((ref: string, value: Json) => boolean) | null {
  const tests: Record<string, (value: Json) => boolean> = {};
  for (const [ref, place] of Object.entries(key)) {
    if (place === null) continue;
    const there = raw(run, place);
    if (there === undefined) return null;
    if (!ref.startsWith('/')) {
      tests[ref] = (value) => equal(value, there);
      continue;
    }
    const slot = instance.index === null ? ref : ref.replace('/*', `/${instance.index}`);
    const leaf = all(proposed(run), slot)[0]?.value;
    const reader = readerOf(readerFor(slot, leaf ?? there), rules.readers);
    if (reader === null) return null;
    const wanted = leaf ?? valueThere(run, rules, reader, place) ?? there;
    tests[ref] = (value) => {
      const read = reader.fromJson(value, contextFor(run, rules, null));
      return read !== undefined && reader.same(read, wanted);
    };
  }
  return (ref, value) => (ref === 'typed' ? typedAnywhere(run, rules, value) : tests[ref]?.(value) === true);
}

/**
 * What a claim of records is worth (R8b, and R of the outcomes): it must be what the conversation measures, by a successful
 * result of a declared tool that matches the key; the latest counts, and a later declared call makes it stale.
 */
export function judgeRecords(
  run: RunInput,
  rules: InForce,
  instance: Instance,
  alternatives: readonly Alternative[],
  lookup: Lookup,
  claims: readonly Claim[],
  readerFor: (slot: string, value: Json) => string,
): FactOutcome {
  const matches = keyTest(run, rules, instance, lookup.request.key, readerFor);
  if (matches === null) return { is: 'failed' };
  const recordsIn = (index: number): Place[] => {
    const segment = run.segments[index];
    const observes = segment?.observes;
    if (segment === undefined || observes == null || observes.fault !== null || isError(run, rules, index))
      return [];
    return alternatives
      .filter(({ tool }) => tool === observes.tool)
      .flatMap((alternative): Place[] => {
        const body = bodyOf(run, index) as Json;
        const candidates: { place: Place; value: Json }[] = [];
        if (alternative.template !== undefined) {
          const parts = typeof body === 'string' ? partsOf(alternative.template, body) : null;
          if (parts === null || typeof body !== 'string') return [];
          candidates.push({
            place: { in: 'text', segment: index, start: 0, end: body.length },
            value: Object.fromEntries(Object.entries(parts).map(([n, s]) => [n, body.slice(s.start, s.end)])),
          });
        } else if (typeof body !== 'string') {
          for (const { pointer, value } of all(body, alternative.record)) {
            candidates.push({ place: { in: 'json', segment: index, of: 'result', pointer }, value });
          }
        }
        return candidates
          .filter(({ value }) =>
            Object.entries(alternative.match).every(([left, ref]) => {
              const [root = '', ...path] = left.split('/');
              const result = alternative.template === undefined ? body : value;
              const base =
                root === 'arguments' ? plain<Json>(observes.arguments) : root === 'result' ? result : value;
              return all(base, pathOf(path)).some((found) => matches(ref, found.value));
            }),
          )
          .map(({ place }) => place);
      });
  };
  // R12: at a trigger, what was measured before it fired is fetched again.
  const triggers = run.entries.flatMap((entry) => (entry.kind === 'trigger' ? [entry.from ?? 0] : []));
  const staleSince = (measured: number) =>
    measured < (triggers.at(-1) ?? 0) ||
    instance.decl.stale_after.some(({ tools, match }) =>
      run.segments.some(({ observes }, index) => {
        if (index <= measured || observes == null || !tools.includes(observes.tool)) return false;
        if (isError(run, rules, index)) return false;
        return Object.entries(match).every(([left, ref]) => {
          const [root = '', ...path] = left.split('/');
          const base = root === 'arguments' ? plain<Json>(observes.arguments) : bodyOf(run, index);
          // Where the key isn't settled, no call can be told to be of another record.
          if (ref !== 'typed' && lookup.request.key[ref] == null) return true;
          return all(base, pathOf(path)).some((found) => matches(ref, found.value));
        });
      }),
    );
  const unreadable = (index: number) => {
    const observes = run.segments[index]?.observes;
    return (
      observes?.fault != null &&
      alternatives.some(
        ({ tool, match }) =>
          tool === observes.tool &&
          Object.entries(match).every(([left, ref]) => {
            const [root = '', ...path] = left.split('/');
            if (root !== 'arguments') return true;
            return all(plain<Json>(observes.arguments), pathOf(path)).some((found) =>
              matches(ref, found.value),
            );
          }),
      )
    );
  };
  // From the newest result to the oldest.
  let records: Place[] = [];
  for (let index = run.segments.length - 1; index >= 0; index--) {
    if (unreadable(index)) return { is: 'failed' };
    const found = recordsIn(index);
    if (found.length === 0) continue;
    if (staleSince(index)) return { is: 'unfinished' };
    records = [...found, ...records];
    if (instance.decl.take === 'latest') {
      records = found.slice(0, 1);
      break;
    }
  }
  const claimed = claims.map(({ at }) => at);
  if (equal(records as never, claimed as never)) return { is: 'measured', records };
  const wrong = claimed.find((at) => !records.some((own) => equal(own as never, at as never))) ?? claimed[0];
  return { is: 'refused', reason: whyNot(run, wrong as Place), place: wrong as Place };
}

function pathOf(parts: readonly string[]): string {
  return parts.map((part) => `/${part}`).join('');
}

/** Why a place is not the measurement that was asked for. */
function whyNot(run: RunInput, place: Place): string {
  if (place.in === 'json' && place.of === 'arguments') return 'claim_is_echo';
  if (raw(run, place) === undefined) return 'claim_not_there';
  if (place.in === 'entry' || run.segments[place.segment]?.observes == null) return 'claim_untrusted';
  return 'claim_has_wrong_key';
}
