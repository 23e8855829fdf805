import type { Json } from '../../src/events/json.ts';
import type { Claim, Lookup, LookupRequest } from '../../src/events/lookup.ts';
import type { Place } from '../../src/events/place.ts';
import type { Source } from '../../src/events/vocabulary.ts';
import { readerOf } from '../../src/gate/readers/index.ts';
import type { RunInput } from '../../src/gate/types.ts';
import { fieldsAt } from './reference-facts.ts';
import { declFor, readerName, type Slot, type SlotDecl } from './reference-slots.ts';
import {
  all,
  approvedTexts,
  contextFor,
  equal,
  type InForce,
  plain,
  proposed,
  raw,
  standsIn,
  takenBack,
  textAt,
  typedByUser,
  wordsIn,
} from './reference-world.ts';
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
    if (entry?.kind === 'answer' && later.kind === 'answer')
      return later.slot === slot && [undefined, run.tool_digest].includes(later.tool);
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
  if (entry.kind === 'answer') {
    // R9: asked for another tool, it was answered for that one.
    if (entry.tool !== undefined && entry.tool !== run.tool_digest) return false;
    return source === 'user_answer' && entry.slot === slot.id;
  }
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
