import { nearest } from '../declarations/nearest.ts';
import { GroundsError } from '../errors.ts';
import { isArray, isObject, type Json } from '../events/json.ts';
import { segmentsOf } from '../events/pointer.ts';
import { isInstance } from '../gate/expand.ts';
import { type RunInput, rulesFor } from '../gate/index.ts';
import { listSlots } from '../gate/slot-list.ts';

/** What the user means is read from their own words, so no answer by slot settles it. */
const INTENT = /^(intent|act|tool|when(\/.*)?)$/;

/**
 * An answer or a setting that nothing of this call can use is refused: left aside in silence, the caller would believe that the
 * user had been heard.
 *
 * @throws GroundsError `check/intent-answer`, `check/no-such-slot`, `check/no-such-setting`: before anything is recorded
 */
export function requireKnownNames(run: RunInput): void {
  for (const entry of run.entries) {
    if (entry.kind === 'answer') requireSlot(run, entry.slot);
    else if (entry.kind === 'setting') requireSetting(run, entry.name);
  }
}

function requireSlot(run: RunInput, slot: string): void {
  if (INTENT.test(slot)) {
    throw new GroundsError('check/intent-answer', `No answer by slot says what the user means: "${slot}".`, {
      facts: { slot },
      hint: 'Bring their own words, typed, at the end of "conversation", under the same "id" and "conversation_id".',
    });
  }
  const rules = rulesFor(run);
  const ids = listSlots(run, rules).slots.map(({ id }) => id);
  const patterns = rules.slots.map(({ pattern }) => pattern);
  if (ids.includes(slot) || patterns.some((pattern) => isInstance(slot, pattern))) return;
  if (slot.startsWith('/') && hasPlace(rules.schema, segmentsOf(slot))) return;
  const known = [...new Set([...ids, ...patterns])];
  const meant = nearest(slot, known) ?? known.find((id) => id === `/${slot}`);
  throw new GroundsError('check/no-such-slot', `The call has no slot ${JSON.stringify(slot)} to answer.`, {
    facts: { slot, meant: meant ?? null, slots: known },
    hint: hintOf(meant, known, 'It has', 'It has no slots at all.'),
  });
}

/** Whoever brings all that a user settled brings what other tools use, too: of any tool of the checklists will do. */
function requireSetting(run: RunInput, name: string): void {
  const known = new Set(rulesFor(run).slots.flatMap(({ setting }) => setting ?? []));
  for (const { body } of run.checklists) {
    for (const { slots } of Object.values(body.tools)) {
      for (const { setting } of Object.values(slots ?? {})) if (setting !== undefined) known.add(setting);
    }
  }
  if (known.has(name)) return;
  const meant = nearest(name, [...known]);
  throw new GroundsError(
    'check/no-such-setting',
    `No checklist lets a setting ${JSON.stringify(name)} fill a slot.`,
    {
      facts: { name, meant: meant ?? null, settings: [...known] },
      hint: hintOf(meant, [...known], 'They know', 'A slot names its setting: { setting: <name> }.'),
    },
  );
}

const LISTED = 12;

function hintOf(meant: string | undefined, known: readonly string[], lead: string, none: string): string {
  const more = known.length > LISTED ? `, and ${known.length - LISTED} more` : '';
  const list = known.length === 0 ? none : `${lead} ${known.slice(0, LISTED).join(', ')}${more}.`;
  return meant === undefined ? list : `Did you mean ${JSON.stringify(meant)}? ${list}`;
}

/** Whether the schema has a property there, be it one that this proposal leaves out. What it only refers to may hold it. */
function hasPlace(schema: Json | null | undefined, path: readonly string[]): boolean {
  const [first, ...rest] = path;
  if (!isObject(schema)) return false;
  if (REFERS.some((key) => Object.hasOwn(schema, key))) return true;
  if (first === undefined) return true;
  const { properties, items } = schema;
  if (isObject(properties) && Object.hasOwn(properties, first)) return hasPlace(properties[first], rest);
  return /^\d+$/.test(first) && items !== undefined && !isArray(items) && hasPlace(items, rest);
}

const REFERS = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas'];
