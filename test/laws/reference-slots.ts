import type { Json } from '../../src/events/json.ts';
import { SOURCES, type Source } from '../../src/events/vocabulary.ts';
import { type Reader, readerOf } from '../../src/gate/readers/index.ts';
import { slotsOf } from '../../src/gate/tool-slots.ts';
import type { RunInput } from '../../src/gate/types.ts';
import { all, type InForce, named, proposed } from './reference-world.ts';
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

export function declFor(rules: InForce, id: string, value: Json | undefined): SlotDecl | undefined {
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
