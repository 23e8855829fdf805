import type { Json } from '../events/json.ts';
import type { Claim, Lookup } from '../events/lookup.ts';
import type { Place, TextPlace } from '../events/place.ts';
import type { ReasonId, Source } from '../events/vocabulary.ts';
import { isVoided, livingApprovals } from './approvals.ts';
import { isTyped, readJson, readSpan, textOf } from './conversation.ts';
import { isOwn, saysNone } from './entries.ts';
import { sameJson } from './expand.ts';
import { rawAt } from './keys.ts';
import { namedClaims, recordsOf } from './locator/named.ts';
import type { Reader, Span } from './readers/reader.ts';
import type { Rules, SlotRule } from './rules-for.ts';
import type { Said } from './settling.ts';
import type { RunInput } from './types.ts';

export interface ReadSlot {
  readonly id: string;
  readonly rule: SlotRule | undefined;
  readonly reader: Reader | null;
  /** The proposed leaf; undefined where nothing was proposed. */
  readonly leaf: Json | undefined;
}

type Read =
  | {
      readonly ok: true;
      readonly value: Json;
      readonly place: Place;
      readonly by: Place | undefined;
      readonly reason?: ReasonId;
      readonly origin?: Source | null;
    }
  | { readonly ok: false; readonly sign: 'B' | 'R'; readonly reason: ReasonId; readonly place: Place };

/**
 * Turns what a lookup said into a sign, by reading the value where each claim points. No value enters a verdict in any
 * other way: a claim whose place can't be trusted for its source, or reads otherwise, is refused. RULES, "Settling a slot".
 */
export function readLookup(run: RunInput, rules: Rules, slot: ReadSlot, lookup: Lookup): Said {
  const source = lookup.request.source;
  const outcome = lookup.outcome;
  switch (outcome.said) {
    case 'absent':
      return { source, sign: 'A' };
    case 'no_place':
      return { source, sign: 'P' };
    case 'unfinished':
      return { source, sign: 'S' };
    case 'failed':
      return { source, sign: 'F' };
    case 'nothing':
      return saysNone(run, outcome.place) && isOwn(run, rules, source, slot.id, outcome.place, slot.rule)
        ? { source, sign: 'N', place: outcome.place }
        : { source, sign: 'R', reason: 'claim_untrusted', place: outcome.place };
    case 'claim':
      return readClaims(run, rules, slot, lookup, outcome.claims, outcome.also);
  }
}

function readClaims(
  run: RunInput,
  rules: Rules,
  slot: ReadSlot,
  lookup: Lookup,
  claims: readonly Claim[],
  also: number,
): Said {
  const source = lookup.request.source;
  const reads = claims.map((claim) => readClaim(run, rules, slot, lookup, claim));
  const { reader } = slot;
  const good = reads.filter((read) => read.ok);
  const declined = good.find((read) => read.reason === 'declined');
  if (declined?.ok) return { source, sign: 'D', place: declined.place };
  const first = good[0];
  if (reader !== null && first?.ok) {
    const differing = good.some((read) => read.ok && !reader.same(read.value, first.value));
    if (differing && lookup.by === 'hook') return { source, sign: 'C', place: first.place };
    const same = good.filter(
      (read) => read.ok && (slot.leaf === undefined || reader.same(read.value, slot.leaf)),
    );
    const best = same.at(-1);
    if (best?.ok) {
      return {
        source,
        sign: 'V',
        place: best.place,
        by: best.by,
        also,
        ...(best.reason === undefined ? {} : { reason: best.reason }),
        ...(best.origin === undefined ? {} : { origin: best.origin }),
      };
    }
    return { source, sign: 'R', reason: 'differs_from_proposal', place: first.place };
  }
  const refused = reads.find((read) => !read.ok && read.sign === 'R') ?? reads[0];
  if (refused === undefined || refused.ok) return { source, sign: 'A' };
  return { source, sign: refused.sign, reason: refused.reason, place: refused.place };
}

function readClaim(run: RunInput, rules: Rules, slot: ReadSlot, lookup: Lookup, claim: Claim): Read {
  const { reader, rule } = slot;
  const place = claim.at;
  const refuse = (reason: ReasonId): Read => ({ ok: false, sign: 'R', reason, place });
  if (reader === null) return refuse('claim_not_there');
  if (place.in === 'entry') {
    const entry = run.entries[place.entry];
    if (entry === undefined || !isOwn(run, rules, lookup.request.source, slot.id, place, rule))
      return refuse('claim_untrusted');
    const raw = rawAt(run, place);
    if (raw === undefined) return refuse('claim_not_there');
    if (entry.kind === 'approval' && entry.declined) {
      return { ok: true, value: false, place, by: claim.by, reason: 'declined' };
    }
    if (saysNone(run, place)) return refuse('claim_reads_otherwise');
    const value = readJson(reader, raw, { at: run.now, zone: rules.zone });
    if (value === undefined) return { ok: false, sign: 'B', reason: 'format', place };
    if (entry.kind === 'answer') {
      return entry.candidate === null
        ? { ok: true, value, place, by: claim.by }
        : {
            ok: true,
            value,
            place,
            by: claim.by,
            reason: 'candidate_confirmed',
            origin: entry.candidate.origin,
          };
    }
    if (entry.kind === 'baseline') {
      const index = Number(place.pointer.split('/')[2]);
      return { ok: true, value, place, by: claim.by, origin: entry.slots[index]?.origin ?? null };
    }
    return {
      ok: true,
      value,
      place,
      by: claim.by,
      reason: entry.kind === 'approval' ? 'approved' : 'setting',
    };
  }
  if (claim.by !== undefined && place.in === 'json') return readNamed(run, rules, slot, lookup, claim);
  if (place.in === 'json') return refuse('claim_untrusted');

  const segment = run.segments[place.segment];
  const text = textOf(segment);
  if (segment === undefined || !standsThere(text, place)) return refuse('claim_not_there');
  const approved = lookup.request.source === 'pre_set_data';
  const living = approved ? livingApprovals(run, rules).filter(({ shown }) => shown === place.segment) : [];
  if (approved) {
    if (living.length === 0) return refuse('claim_untrusted');
  } else if (lookup.request.source !== 'instruction' || !isTyped(segment)) {
    return refuse('claim_untrusted');
  }
  const value = readSpan(run, rules, segment, reader, place);
  if (value === undefined) {
    return reader.scan('', { at: null, zone: rules.zone }) === null
      ? refuse('claim_not_there')
      : { ok: false, sign: 'B', reason: 'format', place };
  }
  // A later no to a text that showed this value takes the yes back.
  if (approved && living.every((exchange) => isVoided(run, rules, exchange, reader, value))) {
    return refuse('claim_untrusted');
  }
  return { ok: true, value, place, by: claim.by, ...(approved ? { reason: 'approved' as const } : {}) };
}

/**
 * Where the words of a slot stand: of its claims those that hold and read as proposed. Where the value itself stands in a
 * record, the words that name it are its text. RULES R7c.
 */
export function wordsOf(run: RunInput, rules: Rules, slot: ReadSlot, lookup: Lookup): readonly TextPlace[] {
  const { outcome } = lookup;
  if (outcome.said !== 'claim') return [];
  return outcome.claims.flatMap((claim) => {
    const read = readClaim(run, rules, slot, lookup, claim);
    if (!read.ok || slot.leaf === undefined || slot.reader?.same(read.value, slot.leaf) !== true) return [];
    const words = read.place.in === 'json' ? read.by : read.place;
    return words?.in === 'text' ? [words] : [];
  });
}

/** Words that name a recorded value stand for it only if they really name this one. */
function readNamed(run: RunInput, rules: Rules, slot: ReadSlot, lookup: Lookup, claim: Claim): Read {
  const refuse = (reason: ReasonId): Read => ({ ok: false, sign: 'R', reason, place: claim.at });
  const { rule, reader } = slot;
  const raw = rawAt(run, claim.at);
  if (rule === undefined || reader === null || raw === undefined) return refuse('claim_not_there');
  const where = lookup.request.source === 'instruction' ? 'typed' : 'approved';
  const there = namedClaims(run, rules, rule, raw, recordsOf(lookup.request), where).some(
    (named) => sameJson(named.at, claim.at) && sameJson(named.by, claim.by),
  );
  if (!there) return refuse('claim_untrusted');
  const value = readJson(reader, raw, { at: run.now, zone: rules.zone });
  if (value === undefined) return { ok: false, sign: 'B', reason: 'format', place: claim.at };
  return {
    ok: true,
    value,
    place: claim.at,
    by: claim.by,
    ...(where === 'approved' ? { reason: 'approved' as const } : {}),
  };
}

/** Whether a text has such a span, which cuts no character in two. */
export function standsThere(text: string | null, { start, end }: Span): boolean {
  if (text === null || start < 0 || start >= end || end > text.length) return false;
  return !splitsPair(text, start) && !splitsPair(text, end);
}

function splitsPair(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return false;
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
