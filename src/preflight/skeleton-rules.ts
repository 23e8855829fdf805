import { Checklist } from '../declarations/checklist.ts';
import { GroundsError } from '../errors.ts';
import { digestOf } from '../events/digest.ts';
import { isArray, isObject, type Json } from '../events/json.ts';
import { pointerOf } from '../events/pointer.ts';
import type { ToolDeclaration } from '../events/tool.ts';
import { SOURCES, type Source } from '../events/vocabulary.ts';
import type { RunInput } from '../gate/index.ts';
import type { FactsMadeFor } from './measuring-hooks.ts';

/** What a field policy says of one field. */
export interface FieldPolicy {
  readonly pending_at_trigger?: boolean;
  readonly sources?: readonly Source[];
}

/** Rules that nobody wrote down: made from a tool's schema and the user's items, and recorded like any others. */
export interface MadeRules {
  readonly checklists: RunInput['checklists'];
  readonly unsound: RunInput['unsound'];
  readonly madeFor: FactsMadeFor;
}

/** An argument of the tool, as its schema declares it. `*` in the slot stands for each element. */
export interface SchemaField {
  readonly slot: string;
  /** Its key, where it is an argument by itself; null where it lies deeper. */
  readonly name: string | null;
  readonly required: boolean;
  readonly schema: Json;
}

/** The arguments down to the leaves, as far as `properties` and `items` lead. Of what other keywords describe the gate makes slots. */
export function fieldsOf(schema: Json): SchemaField[] {
  const fields: SchemaField[] = [];
  const visit = (node: Json, path: readonly string[], required: boolean): void => {
    if (path.length > 8 || fields.length >= 500) return;
    const inside = isObject(node) && isObject(node.properties) ? Object.entries(node.properties) : [];
    const items = isObject(node) ? node.items : undefined;
    const must = isObject(node) && isArray(node.required) ? node.required : [];
    for (const [key, child] of inside) if (key !== '*') visit(child, [...path, key], must.includes(key));
    if (isObject(items)) visit(items, [...path, '*'], true);
    if (path.length === 0 || inside.length > 0 || isObject(items)) return;
    const [key] = path;
    const name = path.length === 1 && key !== undefined && key !== '' ? key : null;
    fields.push({ slot: pointerOf(path), name, required, schema: node });
  };
  visit(schema, [], true);
  return fields;
}

const WRITTEN_BY = 'preflight defaults';
/** A piece of the conversation that says that everything is looked up anew: what was measured before no longer counts. */
export const LOOKED_AGAIN = 'runPreflightAndRecord';
const STALE = [{ tools: [LOOKED_AGAIN], match: {} }];

/** What people say for each timing; the words for the time, event or threshold must stand in the instruction too. */
const TIMING = {
  immediate: { words: ['now', 'right now', 'right away', 'immediately'] },
  scheduled: {
    words: ['tomorrow', 'tonight', 'later', 'next week', 'next month', 'this evening'],
    detail: 'text',
  },
  conditional: { words: ['when', 'once', 'if', 'as soon as', 'unless'], detail: 'text' },
  recurring: { words: ['every', 'each', 'daily', 'weekly', 'monthly'], detail: 'text' },
};

/**
 * The skeleton's rules for one tool: every field may be confirmed from all five sources, `preSetData` stands as settings by the
 * field's name, and what is measured comes from `measureFromEnvironment`. Measurements are the system's to declare, so these are too.
 *
 * @throws GroundsError `preflight/tool-name` where no checklist can hold rules for a tool of that name
 */
export function skeletonRules(
  tool: ToolDeclaration,
  policies: ReadonlyMap<string, FieldPolicy>,
  checks: { readonly field: boolean; readonly payload: boolean },
): MadeRules {
  const facts: Record<string, unknown> = {};
  const slots: Record<string, unknown> = {};
  const conditions: Record<string, unknown> = {};
  const fields = new Map<string, string>();
  const all = fieldsOf(tool.input_schema);
  const settled: Record<string, string> = {};
  all.forEach(({ slot, name, required, schema }, index) => {
    const policy = policies.get(slot) ?? {};
    const sources = SOURCES.filter(
      (source) =>
        (policy.sources ?? SOURCES).includes(source) && (source !== 'measured_data' || name !== null),
    );
    const fact = `field_${index}`;
    const measured = name !== null && sources.includes('measured_data');
    slots[slot] = {
      reader: readerFor(schema),
      sources,
      ...(measured ? { measured: [`${fact}#`] } : {}),
      ...(name !== null && sources.includes('pre_set_data') ? { setting: name } : {}),
      pending_at_trigger: policy.pending_at_trigger === true,
    };
    if (measured) {
      const record = pointerOf([name]);
      facts[fact] = { measured_by: [{ tool: 'measureFromEnvironment', record }], stale_after: STALE };
      fields.set(fact, slot);
    }
    if (name === null || !required) return;
    settled[`arguments${slot}`] = slot;
    if (!checks.field) return;
    const valid = `valid_${index}`;
    const by = { tool: 'validateFieldSchema', record: pointerOf([name]), match: { 'arguments/value': slot } };
    facts[valid] = { measured_by: [by], stale_after: STALE };
    fields.set(valid, slot);
    conditions[`valid.${index}`] = { require: `${valid}.holds`, says: `validateFieldSchema(${name})` };
  });
  if (checks.payload) {
    facts.payload = { measured_by: [{ tool: 'validatePayload', match: settled }], stale_after: STALE };
    conditions['valid.payload'] = { require: 'payload.holds', says: 'validatePayload' };
  }
  const body = checklist(tool, {
    grounds: 1,
    checklist: 'preflight/defaults',
    declared_by: 'system',
    written_by: WRITTEN_BY,
    intent: { timing: TIMING },
    facts,
    tools: { [tool.name]: { slots, conditions } },
  });
  return { checklists: [body], unsound: [], madeFor: { fields, items: new Map() } };
}

/** As numbers are written by people, an amount with or without its currency. */
function readerFor(schema: Json): string {
  if (!isObject(schema)) return 'text';
  const type = isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type;
  if (type === 'number' || type === 'integer') return 'money';
  if (type === 'boolean') return 'boolean';
  if (type !== 'string') return 'text';
  return schema.format === 'date' ? 'date' : schema.format === 'date-time' ? 'datetime' : 'text';
}

/** A name that a condition can have; it is also the key by which its answer is attached again. */
const ITEM_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

/**
 * The user's items as conditions of the user's, each measured by `verifyUserChecklistItem`. A status that comes along counts for nothing.
 * An item without an id, or with a doubled one, spoils the list: nothing could be attached to it (V1).
 */
export function itemRules(tool: ToolDeclaration, items: readonly Json[]): MadeRules {
  const facts: Record<string, unknown> = {};
  const conditions: Record<string, unknown> = {};
  const known = new Map<string, Readonly<Record<string, Json>>>();
  const ids = new Set<string>();
  for (const [index, item] of items.entries()) {
    const id = isObject(item) ? item.id : undefined;
    if (!isObject(item) || typeof id !== 'string' || !ITEM_ID.test(id) || ids.has(id)) {
      const unsound = [{ digest: digestOf({ userChecklist: items }), declared_by: 'user' as const }];
      return { checklists: [], unsound, madeFor: { fields: new Map(), items: new Map() } };
    }
    ids.add(id);
    const fact = `item_${index}`;
    facts[fact] = {
      measured_by: [{ tool: 'verifyUserChecklistItem', record: pointerOf([id]) }],
      stale_after: STALE,
    };
    const { status: _, source: __, ...declared } = item;
    known.set(fact, declared);
    const says = typeof item.description === 'string' ? item.description : id;
    conditions[id] = { require: `${fact}.holds`, says };
  }
  if (items.length === 0)
    return { checklists: [], unsound: [], madeFor: { fields: new Map(), items: known } };
  const base = { grounds: 1, written_by: WRITTEN_BY } as const;
  return {
    checklists: [
      checklist(tool, { ...base, checklist: 'preflight/user-items', declared_by: 'system', facts }),
      checklist(tool, {
        ...base,
        checklist: 'preflight/user-items',
        declared_by: 'user',
        tools: { [tool.name]: { conditions } },
      }),
    ],
    unsound: [],
    madeFor: { fields: new Map(), items: known },
  };
}

function checklist(tool: ToolDeclaration, file: unknown): RunInput['checklists'][number] {
  const parsed = Checklist.safeParse(file);
  if (parsed.success) return { digest: digestOf(parsed.data), body: parsed.data };
  throw new GroundsError('preflight/tool-name', `No rules can be made for a tool called ${tool.name}.`, {
    facts: { tool: tool.name, issues: parsed.error.issues.map(({ path }) => pointerOf(path.map(String))) },
    hint: 'A tool has a name of letters, digits, _ . : - (up to 128), and so have its arguments; or give checklists of your own.',
  });
}
