import { fc } from '@fast-check/vitest';
import {
  SKELETON_DECISIONS,
  SKELETON_VERSIONS,
  type SkeletonVersion,
} from '../../src/compat/skeleton-record.ts';
import type { Json } from '../../src/events/json.ts';
import { SOURCES, TIMINGS } from '../../src/events/vocabulary.ts';

/** Text that has bytes; the odd ones on purpose. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('', '\u0000', '\u2028', '\u202e', 'null', '"'),
);
/** Numbers that a double holds exactly: what it doesn't is refused, which has its own tests. */
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map((n) => (n === 0 ? 0 : n)),
);
export const json: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, [], {}, ''),
    text,
    number,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(text, tie('json'), { maxKeys: 3 }),
  ),
})).json;

/** Each member is there, null, or not there at all. */
function maybe<T extends Record<string, fc.Arbitrary<unknown>>>(
  members: T,
): fc.Arbitrary<Record<string, Json>> {
  const all = Object.fromEntries(Object.entries(members).map(([key, of]) => [key, fc.option(of)]));
  return fc.record(all, { requiredKeys: [] }) as fc.Arbitrary<Record<string, Json>>;
}

const count = fc.nat(9);

function fixed(version: SkeletonVersion): fc.Arbitrary<Json> {
  return maybe({
    c1_when_case: version === '1.4' ? json : fc.constantFrom(...TIMINGS),
    c2_user_action_name: text,
    c3_provider_action_name: text,
    ...(version >= '1.6' ? { c2_source: fc.constantFrom('instruction', 'pre_set_data') } : {}),
    ...(version >= '1.8' ? { c3_match: fc.record({ approved: fc.boolean(), reason: json }) } : {}),
  });
}

function field(version: SkeletonVersion): fc.Arbitrary<Json> {
  return fc
    .tuple(
      fc.record({ name: text, status: fc.constantFrom('known', 'unknown') }),
      maybe({
        value: json,
        source: fc.constantFrom(...SOURCES),
        origin_source: text,
        resolved_at: text,
        note: text,
      }),
      version >= '1.7' ? fc.constantFrom({}, { lookup_failed: true, _diag_note: 'x' }) : fc.constant({}),
    )
    .map((parts) => Object.assign({}, ...parts) as Json);
}

/** Any record of a version, with keys of its own that no version has. */
export function recordOfVersion(version: SkeletonVersion): fc.Arbitrary<Record<string, Json>> {
  const own = maybe({
    action_key: text,
    phase: fc.constantFrom('at_instruction', 'at_trigger'),
    fixed: fixed(version),
    fields: fc.array(field(version), { maxLength: 3 }),
    advisory_notes: text,
    user_checklist: fc.array(fc.option(maybe({ id: text, description: text, status: text, source: text })), {
      maxLength: 2,
    }),
    unknown_count: count,
    unverified_checklist_count: count,
    call_arguments: fc.dictionary(text, json, { maxKeys: 3 }),
    gate: fc.oneof(
      fc.constant({}),
      maybe({ user_message: text, next_tool_attempt: count, next_intent_attempt: count, _diag: json }),
    ),
    reason: text,
    timestamp: text,
    deferred_input: json,
    extra_fields: fc.array(field(version), { maxLength: 1 }),
  });
  const strange = fc.dictionary(
    text.map((key) => `x_${key}`),
    json,
    { maxKeys: 2 },
  );
  const decision = fc.constantFrom(...SKELETON_DECISIONS);
  return fc.tuple(own, strange, decision).map(([known, more, execution_decision]) => ({
    ...known,
    ...more,
    schema_version: version,
    execution_decision,
  }));
}

export const anyRecord = fc.constantFrom(...SKELETON_VERSIONS).chain(recordOfVersion);
