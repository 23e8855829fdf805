import type { Json } from '../../events/json.ts';
import type { Claim, LookupRequest } from '../../events/lookup.ts';
import type { Place } from '../../events/place.ts';
import { livingApprovals } from '../approvals.ts';
import { findIn, typedSegments } from '../conversation.ts';
import { entriesOf, expand, sameJson } from '../expand.ts';
import { fieldsOf } from '../facts.ts';
import { inText } from '../places.ts';
import { readerOf } from '../readers/index.ts';
import type { Reader } from '../readers/reader.ts';
import type { Rules, SlotRule } from '../rules-for.ts';
import type { RunInput, Segment } from '../types.ts';

/** Which facts name values of this slot. */
export function namingFacts(rule: SlotRule | undefined): readonly string[] {
  if (rule === undefined) return [];
  let facts = naming.get(rule);
  if (facts === undefined) {
    const refs = [
      ...rule.named_by.map((named) => named.record),
      ...entriesOf(rule.phrases).map(([, ref]) => ref),
    ];
    facts = [...new Set(refs.map((ref) => ref.slice(0, ref.indexOf('#'))))];
    naming.set(rule, facts);
  }
  return facts;
}

const naming = new WeakMap<SlotRule, readonly string[]>();

/** The records by which a request is keyed, by fact. */
export function recordsOf(request: LookupRequest): Record<string, Place> {
  const records: Record<string, Place> = {};
  for (const [ref, place] of Object.entries(request.key))
    if (place !== null) records[ref.slice(0, ref.indexOf('#'))] = place;
  return records;
}

/**
 * A value that the words name without spelling it: by a field that is unique among its siblings in a measured record
 * ("ending in 7447"), or by declared words for a fact's field ("the original payment"). Both places are kept. RULES R8.
 */
export function namedClaims(
  run: RunInput,
  rules: Rules,
  rule: SlotRule,
  value: Json,
  records: Readonly<Record<string, Place>>,
  where: 'typed' | 'approved',
): Claim[] {
  const names = namesOf(run, rules, rule, value, records);
  if (names.length === 0) return [];
  const claims: Claim[] = [];
  const fold = readerOf('text_fold', rules.readers) as Reader;
  const segments =
    where === 'typed' ? typedSegments(run) : livingApprovals(run, rules).map((exchange) => exchange.shown);
  for (const index of segments) {
    const segment = run.segments[index] as Segment;
    for (const { at, words } of names) {
      for (const word of words) {
        for (const span of findIn(run, rules, segment, fold, word))
          claims.push({ at, by: inText(index, span) });
      }
    }
  }
  return claims;
}

function namesOf(
  run: RunInput,
  rules: Rules,
  rule: SlotRule,
  value: Json,
  records: Readonly<Record<string, Place>>,
): { at: Place; words: readonly string[] }[] {
  const names: { at: Place; words: readonly string[] }[] = [];
  for (const named of rule.named_by) {
    const hash = named.record.indexOf('#');
    const fact = rules.facts.find((known) => known.id === named.record.slice(0, hash));
    const record = records[named.record.slice(0, hash)];
    if (fact === undefined || record === undefined) continue;
    const siblings = fieldsOf(run, fact, record, named.record.slice(hash + 1));
    for (const sibling of siblings) {
      const id = expand(sibling.value, named.id)[0];
      if (id === undefined || !sameJson(id.value, value) || sibling.place.in !== 'json') continue;
      const at: Place = { ...sibling.place, pointer: sibling.place.pointer + id.pointer };
      for (const path of named.by) {
        const said = expand(sibling.value, path)[0]?.value;
        if (typeof said !== 'string' && typeof said !== 'number') continue;
        const alike = siblings.filter((other) => sameJson(expand(other.value, path)[0]?.value, said));
        if (alike.length !== 1) continue;
        names.push({
          at,
          words: [
            String(said),
            ...(Object.hasOwn(named.words, String(said)) ? (named.words[String(said)] ?? []) : []),
          ],
        });
      }
    }
  }
  for (const [phrase, ref] of entriesOf(rule.phrases)) {
    const hash = ref.indexOf('#');
    const fact = rules.facts.find((known) => known.id === ref.slice(0, hash));
    const record = records[ref.slice(0, hash)];
    if (fact === undefined || record === undefined) continue;
    for (const field of fieldsOf(run, fact, record, ref.slice(hash + 1))) {
      if (sameJson(field.value, value)) names.push({ at: field.place, words: [phrase] });
    }
  }
  return names;
}
