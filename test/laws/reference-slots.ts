import type { Json } from '../../src/events/json.ts';
import type { Claim, Lookup, LookupRequest } from '../../src/events/lookup.ts';
import type { Place } from '../../src/events/place.ts';
import { SOURCES, type Source } from '../../src/events/vocabulary.ts';
import { type Reader, readerOf } from '../../src/gate/readers/index.ts';
import { slotsOf } from '../../src/gate/tool-slots.ts';
import type { RunInput } from '../../src/gate/types.ts';
import { type FactOutcome, fieldsAt, type Instance } from './reference-facts.ts';
import {
  all,
  approvedTexts,
  contextFor,
  equal,
  find,
  type InForce,
  named,
  plain,
  proposed,
  raw,
  standsIn,
  takenBack,
  textAt,
  typedByUser,
  wordsIn,
} from './reference-world.ts';

export type SlotDecl = InForce['slots'][number];

export interface Slot {
  readonly id: string;
  readonly pattern: string;
  readonly decl: SlotDecl | undefined;
  readonly reader: Reader | null;
  readonly leaf: Json | undefined;
  readonly required: boolean;
  readonly fixedBySchema: boolean;
  readonly sources: readonly Source[];
}

export interface Listed {
  readonly slots: readonly Slot[];
  readonly ungated: readonly string[];
  readonly notAllowed: boolean;
}

export function schemaOf(run: RunInput, rules: InForce): { schema: Json | null; fromProposal: boolean } {
  const schema = run.tool.input_schema ?? rules.schema ?? null;
  return { schema, fromProposal: schema === null && rules.slots_from_proposal };
}

function declFor(rules: InForce, id: string, value: Json | undefined): SlotDecl | undefined {
  const stars = (pattern: string) => pattern.split('/').filter((part) => part === '*').length;
  const fitting = rules.slots.filter(({ pattern }) => named(id, pattern));
  const least = Math.min(...fitting.map(({ pattern }) => stars(pattern)));
  const own = fitting.find(({ pattern }) => stars(pattern) === least);
  if (own !== undefined || !(Array.isArray(value) && value.length === 0)) return own;
  return rules.slots.find(({ pattern }) => pattern.endsWith('/*') && named(id, pattern.slice(0, -2)));
}

/** The reader's name: as declared; where nothing but `text` is, the proposed leaf's own type. */
export function readerName(decl: SlotDecl | undefined, value: Json | undefined): string {
  if (decl !== undefined && decl.reader !== 'text') return decl.reader;
  return typeof value === 'number' ? 'decimal' : typeof value === 'boolean' ? 'boolean' : 'text';
}

/** R7, R4: what must be confirmed. */
export function listSlots(run: RunInput, rules: InForce): Listed {
  const args = proposed(run);
  const { schema } = schemaOf(run, rules);
  let derived = slotsOf(schema, args);
  if ('fault' in derived) derived = slotsOf(null, args);
  const leaves = 'fault' in derived ? [] : [...derived.leaves];
  const required = rules.slots.filter((slot) => slot.required);
  // What a party requires is listed though the schema does not ask for it and the proposal leaves it out.
  for (const { pattern } of [...required].sort((a, b) => (a.pattern < b.pattern ? -1 : 1))) {
    const cut = pattern.lastIndexOf('/*/');
    const owners =
      pattern.includes('*') && cut < 0
        ? []
        : cut < 0
          ? ['']
          : all(args, pattern.slice(0, cut + 2)).map(({ pointer }) => pointer);
    for (const owner of owners) {
      const id = owner + (cut < 0 ? pattern : pattern.slice(cut + 2));
      if (leaves.some(({ pointer }) => pointer === id || pointer.startsWith(`${id}/`))) continue;
      leaves.push({ pointer: id, pattern, required: true, allowed: true });
    }
  }
  const ungated = new Set<string>();
  const slots: Slot[] = [];
  for (const { pointer: id, pattern, required: needed, const: only, allowed: _ } of leaves) {
    const value = all(args, id)[0]?.value;
    const cover = (free: string) =>
      named(id, free) ||
      id
        .split('/')
        .some((_, n, parts) => n > 0 && n < parts.length - 1 && named(parts.slice(0, n + 1).join('/'), free));
    const mustBeGated = required.some((slot) => cover(slot.pattern));
    const free = Object.keys(rules.ungated)
      .sort()
      .find((candidate) => cover(candidate) && !rules.defects.some((defect) => defect.slot === candidate));
    if (free !== undefined && !mustBeGated) {
      ungated.add(free);
      continue;
    }
    const decl = declFor(rules, id, value);
    const bound = rules.groups.some(({ records }) =>
      records.some(({ fields }) => Object.hasOwn(fields, pattern)),
    );
    const usual: Source[] = ['user_answer', 'instruction', 'pre_set_data'];
    if (bound || (decl?.measured.length ?? 0) > 0) usual.push('measured_data');
    slots.push({
      id,
      pattern,
      decl,
      reader: readerOf(readerName(decl, value), rules.readers),
      leaf: value,
      required: needed || decl?.required === true,
      fixedBySchema: only !== undefined,
      sources: SOURCES.filter((source) => (decl?.sources ?? usual).includes(source)),
    });
  }
  return {
    slots,
    ungated: [...ungated],
    notAllowed: leaves.some(({ allowed }) => !allowed),
  };
}

/** What one source said, after its places were read. */
export type Sign =
  | { readonly is: 'V'; readonly place: Place; readonly origin?: Source | null; readonly how?: string }
  | { readonly is: 'N'; readonly place: Place }
  | { readonly is: 'R'; readonly reason: string }
  | { readonly is: 'W'; readonly on: readonly string[] }
  | { readonly is: 'B' | 'A' | 'P' | 'S' | 'F' | 'C' }
  | { readonly is: 'D'; readonly place: Place };

/** The newest word counts: what stands later in the entries on the same matter replaces it. */
function replaced(run: RunInput, index: number, slot: string): boolean {
  const entry = run.entries[index];
  return run.entries.some((later, at) => {
    if (at <= index) return false;
    if (entry?.kind === 'setting') return later.kind === 'setting' && later.name === entry.name;
    if (entry?.kind === 'answer' && later.kind === 'answer') return later.slot === slot;
    if (later.kind !== 'approval' || !later.declined || later.tool !== run.tool_digest) return false;
    if (entry?.kind === 'answer') return later.shown.some((item) => item.slot === slot);
    return entry?.kind === 'approval' && !entry.declined && overlap(entry.shown, later.shown);
  });
}

function overlap(a: readonly { slot: string }[], b: readonly { slot: string }[]): boolean {
  return a.some(({ slot }) => b.some((other) => other.slot === slot));
}

/** R9: an approval binds every value that it showed; one of them changed, and it is void. */
export function approvalHolds(run: RunInput, rules: InForce, index: number): boolean {
  const entry = run.entries[index];
  if (entry?.kind !== 'approval' || entry.declined || entry.tool !== run.tool_digest) return false;
  if (replaced(run, index, '')) return false;
  return entry.shown.every(({ slot, value }) => {
    if (!slot.startsWith('/')) return true;
    const leaf = all(proposed(run), slot)[0]?.value;
    if (leaf === undefined) return proposed(run) === undefined;
    const reader = readerOf(readerName(declFor(rules, slot, leaf), leaf), rules.readers);
    const read = reader?.fromJson(plain<Json>(value), contextFor(run, rules, null));
    return read !== undefined && reader?.same(read, leaf) === true;
  });
}

/** Whether an entry speaks through this source for this slot. */
function owns(run: RunInput, rules: InForce, slot: Slot, source: Source, place: Place): boolean {
  if (place.in !== 'entry') return false;
  const entry = run.entries[place.entry];
  const item = Number(place.pointer.split('/')[2]);
  if (entry === undefined || replaced(run, place.entry, slot.id)) return false;
  if (entry.kind === 'answer') return source === 'user_answer' && entry.slot === slot.id;
  if (entry.kind === 'setting') return source === 'pre_set_data' && slot.decl?.setting === entry.name;
  if (entry.kind === 'baseline') return source === 'prior_state' && entry.slots[item]?.slot === slot.id;
  if (entry.kind !== 'approval' || entry.tool !== run.tool_digest) return false;
  if (entry.declined) return source === 'user_answer' && entry.shown.some((shown) => shown.slot === slot.id);
  return (
    source === 'pre_set_data' && entry.shown[item]?.slot === slot.id && approvalHolds(run, rules, place.entry)
  );
}

type Read =
  | { ok: true; value: Json; place: Place; words: Place | undefined; origin?: Source | null; how?: string }
  | { ok: false; is: 'B' | 'R'; reason: string };

/** Reads what one claim points at, for one source. */
export function readClaim(run: RunInput, rules: InForce, slot: Slot, lookup: Lookup, claim: Claim): Read {
  const refuse = (reason: string): Read => ({ ok: false, is: 'R', reason });
  const { at, by } = claim;
  const { source } = lookup.request;
  const { reader } = slot;
  if (reader === null) return refuse('claim_not_there');
  const misfit: Read = { ok: false, is: 'B', reason: 'format' };
  if (at.in === 'entry') {
    const entry = run.entries[at.entry];
    if (entry === undefined || !owns(run, rules, slot, source, at)) return refuse('claim_untrusted');
    const there = raw(run, at);
    if (there === undefined) return refuse('claim_not_there');
    if (entry.kind === 'approval' && entry.declined)
      return { ok: true, value: false, place: at, words: by, how: 'declined' };
    // An entry that says there is none holds no value.
    if ((entry.kind === 'answer' || entry.kind === 'setting') && entry.none)
      return refuse('claim_reads_otherwise');
    const value = reader.fromJson(there, contextFor(run, rules, null));
    if (value === undefined) return misfit;
    const read = { ok: true as const, value, place: at, words: by };
    if (entry.kind === 'answer') {
      return entry.candidate === null
        ? { ...read, how: 'answered' }
        : { ...read, how: 'candidate_confirmed', origin: entry.candidate.origin };
    }
    if (entry.kind === 'baseline') {
      return {
        ...read,
        how: 'inherited',
        origin: entry.slots[Number(at.pointer.split('/')[2])]?.origin ?? null,
      };
    }
    return { ...read, how: entry.kind === 'approval' ? 'approved' : 'setting' };
  }
  const shown = source === 'pre_set_data';
  if (at.in === 'json') {
    if (by === undefined) return refuse('claim_untrusted');
    const there = raw(run, at);
    if (slot.decl === undefined || there === undefined) return refuse('claim_not_there');
    if (
      !namings(run, rules, slot.decl, there, lookup.request, shown).some((own) =>
        equal(own as never, claim as never),
      )
    ) {
      return refuse('claim_untrusted');
    }
    const value = reader.fromJson(there, contextFor(run, rules, null));
    return value === undefined
      ? misfit
      : { ok: true, value, place: at, words: by, how: shown ? 'approved' : 'located' };
  }
  if (!standsIn(run, at)) return refuse('claim_not_there');
  if (source !== 'instruction' && source !== 'pre_set_data') return refuse('claim_untrusted');
  const exchanges = approvedTexts(run, rules).filter((exchange) => exchange.shown === at.segment);
  if (shown ? exchanges.length === 0 : !typedByUser(run.segments[at.segment]))
    return refuse('claim_untrusted');
  const value = reader.readAt(textAt(run, at.segment) ?? '', at, contextFor(run, rules, at.segment));
  if (value === undefined) {
    return reader.scan('', { at: null, zone: 'UTC' }) === null ? refuse('claim_not_there') : misfit;
  }
  if (shown && exchanges.every((exchange) => takenBack(run, rules, exchange, reader, value)))
    return refuse('claim_untrusted');
  return { ok: true, value, place: at, words: by, how: shown ? 'approved' : 'located' };
}

/** R8: claims by which words name a recorded value: `at` in the record, `by` the words. */
function namings(
  run: RunInput,
  rules: InForce,
  decl: SlotDecl,
  value: Json,
  request: LookupRequest,
  shown: boolean,
): Claim[] {
  const names: { at: Place; words: string[] }[] = [];
  const recordOf = (ref: string): Place | null => request.key[`${ref.split('#')[0]}#`] ?? null;
  const factOf = (ref: string) => rules.facts[ref.split('#')[0] ?? ''];
  for (const { record: ref, id, by, words } of decl.named_by) {
    const record = recordOf(ref);
    const fact = factOf(ref);
    if (record === null || fact === undefined) continue;
    const siblings = fieldsAt(run, fact, record, ref.slice(ref.indexOf('#') + 1));
    for (const sibling of siblings) {
      const own = all(sibling.value, id)[0];
      if (own === undefined || !equal(own.value, value) || sibling.place.in !== 'json') continue;
      for (const path of by) {
        const said = all(sibling.value, path)[0]?.value;
        if (typeof said !== 'string' && typeof said !== 'number') continue;
        if (siblings.filter((other) => equal(all(other.value, path)[0]?.value, said)).length > 1) continue;
        const at = { ...sibling.place, pointer: sibling.place.pointer + own.pointer };
        names.push({ at, words: [String(said), ...(words[String(said)] ?? [])] });
      }
    }
  }
  for (const [phrase, ref] of Object.entries(decl.phrases)) {
    const record = recordOf(ref);
    const fact = factOf(ref);
    if (record === null || fact === undefined) continue;
    for (const field of fieldsAt(run, fact, record, ref.slice(ref.indexOf('#') + 1))) {
      if (equal(field.value, value)) names.push({ at: field.place, words: [phrase] });
    }
  }
  const segments = shown
    ? approvedTexts(run, rules).map((exchange) => exchange.shown)
    : run.segments.flatMap((segment, index) => (typedByUser(segment) ? [index] : []));
  return names.flatMap(({ at, words }) =>
    segments.flatMap((segment) =>
      wordsIn(run, rules, segment, words).map(({ start, end }) => ({
        at,
        by: { in: 'text' as const, segment, start, end },
      })),
    ),
  );
}

/** What one lookup says of one slot. */
export function signOf(run: RunInput, rules: InForce, slot: Slot, lookup: Lookup): Sign {
  const { outcome } = lookup;
  const { source } = lookup.request;
  if (outcome.said === 'absent') return { is: 'A' };
  if (outcome.said === 'no_place') return { is: 'P' };
  if (outcome.said === 'unfinished') return { is: 'S' };
  if (outcome.said === 'failed') return { is: 'F' };
  if (outcome.said === 'nothing') {
    const { place } = outcome;
    const entry = place.in === 'entry' ? run.entries[place.entry] : undefined;
    const saysNone = (entry?.kind === 'answer' || entry?.kind === 'setting') && entry.none;
    return saysNone && owns(run, rules, slot, source, place)
      ? { is: 'N', place }
      : { is: 'R', reason: 'claim_untrusted' };
  }
  const reads = outcome.claims.map((claim) => readClaim(run, rules, slot, lookup, claim));
  const good = reads.filter((read) => read.ok);
  const no = good.find((read) => read.how === 'declined');
  if (no !== undefined) return { is: 'D', place: no.place };
  const [first] = good;
  if (first === undefined) {
    const refused = reads.find((read) => !read.ok && read.is === 'R') ?? reads[0];
    return refused === undefined || refused.ok || refused.is === 'B'
      ? { is: 'B' }
      : { is: 'R', reason: refused.reason };
  }
  const same = (a: Json, b: Json) => slot.reader?.same(a, b) === true;
  // S8 is for claims of hooks: what a locator offers beside the proposed value is a difference, not a conflict.
  if (lookup.by === 'hook' && good.some(({ value }) => !same(value, first.value))) return { is: 'C' };
  const right = good.filter(({ value }) => slot.leaf === undefined || same(value, slot.leaf));
  const last = right[right.length - 1];
  if (last === undefined) return { is: 'R', reason: 'differs_from_proposal' };
  return {
    is: 'V',
    place: last.place,
    ...(last.how === undefined ? {} : { how: last.how }),
    ...(last.origin === undefined ? {} : { origin: last.origin }),
  };
}

/** The words by which a slot was said, in places that hold and read as proposed: what R7c measures distances between. */
export function wordsFor(run: RunInput, rules: InForce, slot: Slot, lookups: readonly Lookup[]): Place[] {
  return lookups.flatMap((lookup) => {
    if (lookup.outcome.said !== 'claim') return [];
    return lookup.outcome.claims.flatMap((claim): Place[] => {
      const read = readClaim(run, rules, slot, lookup, claim);
      if (!read.ok || slot.leaf === undefined || slot.reader?.same(read.value, slot.leaf) !== true) return [];
      const place = read.place.in === 'text' ? read.place : read.place.in === 'json' ? read.words : undefined;
      return place?.in === 'text' ? [place] : [];
    });
  });
}

/** Where a slot may be measured: its own references, then the records that bind its group. */
export function pathsFor(rules: InForce, slot: Slot) {
  // R8c: one of several, by the path or because the fact takes all records.
  const several = (fact: string, ...paths: string[]) =>
    paths.some((path) => path.includes('*')) || rules.facts[fact]?.take === 'all';
  const own = (slot.decl?.measured ?? []).map((ref) => {
    const [fact = '', path = ''] = ref.split('#');
    return { fact, path, args: false, member: several(fact, path) };
  });
  const bound = rules.groups.flatMap(({ records }) =>
    records.flatMap((record) => {
      const field = record.fields[slot.pattern];
      if (field === undefined) return [];
      const [fact = '', at = ''] = record.fact.split('#');
      const args = field.startsWith('arguments');
      const path = args ? field.slice('arguments'.length) : at + field.slice('record'.length);
      return [{ fact, path, args, member: several(fact, at, path) }];
    }),
  );
  return [...own, ...bound];
}

/** S13–S15, S21, S23: what `measured_data` says; null while a fact is open. */
export function measuredSign(
  run: RunInput,
  rules: InForce,
  slot: Slot,
  instancesOf: (fact: string, slot: string) => readonly Instance[],
  outcomeOf: (id: string) => FactOutcome | undefined,
): Sign | null {
  const signs: Sign[] = [];
  for (const path of pathsFor(rules, slot)) {
    for (const instance of instancesOf(path.fact, slot.id)) {
      const fact = outcomeOf(instance.id);
      if (fact === undefined) return null;
      if (fact.is === 'waits') signs.push({ is: 'W', on: [instance.id] });
      if (fact.is === 'failed') signs.push({ is: 'F' });
      if (fact.is === 'unfinished') signs.push({ is: 'S' });
      if (fact.is === 'refused') signs.push({ is: 'R', reason: fact.reason });
      if (fact.is !== 'measured') continue;
      for (const record of fact.records) signs.push(fieldSign(run, rules, slot, instance, record, path));
      const hit = signs.find(({ is }) => is === 'V');
      if (hit !== undefined) return hit;
    }
  }
  for (const is of ['F', 'N', 'B', 'S'] as const) {
    const found = signs.find((sign) => sign.is === is);
    if (found !== undefined) return found;
  }
  const waits = signs.flatMap((sign) => (sign.is === 'W' ? [...sign.on] : []));
  if (waits.length > 0) return { is: 'W', on: waits };
  return signs.find(({ is }) => is === 'R') ?? { is: 'A' };
}

function fieldSign(
  run: RunInput,
  rules: InForce,
  slot: Slot,
  instance: Instance,
  record: Place,
  path: { path: string; args: boolean; member: boolean },
): Sign {
  const { reader, leaf } = slot;
  const fields = path.args
    ? argumentsBeside(run, record, path.path)
    : fieldsAt(run, instance.decl, record, path.path);
  const [only] = fields;
  if (only === undefined || reader === null) return { is: 'A' };
  const differs: Sign = { is: 'R', reason: 'differs_from_proposal' };
  if (!path.member && only.value === null) return leaf == null ? { is: 'N', place: only.place } : differs;
  const read = (value: Json) => reader.fromJson(value, contextFor(run, rules, null));
  const isLeaf = (value: Json | undefined) =>
    value !== undefined && leaf !== undefined && reader.same(value, leaf);
  const hit = fields.find(({ value }) => isLeaf(read(value)));
  if (hit !== undefined) {
    return path.member && slot.decl?.select !== 'member'
      ? { is: 'R', reason: 'choice_not_confirmed' }
      : { is: 'V', place: hit.place };
  }
  if (path.member) return { is: 'R', reason: 'not_a_member' };
  if (read(only.value) === undefined) return { is: 'B' };
  return leaf === undefined ? { is: 'V', place: only.place } : differs;
}

export function argumentsBeside(run: RunInput, record: Place, path: string): { place: Place; value: Json }[] {
  if (record.in === 'entry') return [];
  const observes = run.segments[record.segment]?.observes;
  if (observes == null) return [];
  return all(plain<Json>(observes.arguments), path).map(({ pointer, value }) => ({
    place: { in: 'json', segment: record.segment, of: 'arguments', pointer },
    value,
  }));
}

/** Facts whose records name values of a slot. */
export function namingFacts(decl: SlotDecl | undefined): string[] {
  const refs = [
    ...(decl?.named_by ?? []).map(({ record }) => record),
    ...Object.entries(decl?.phrases ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, ref]) => ref),
  ];
  return [...new Set(refs.map((ref) => ref.split('#')[0] ?? ''))];
}

export { find };
