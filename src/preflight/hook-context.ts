import { plainOf } from '../events/content.ts';
import { isObject, type Json } from '../events/json.ts';
import { segmentsOf } from '../events/pointer.ts';
import type { Segment } from '../events/segment.ts';
import type { RunInput } from '../gate/index.ts';
import { frozen } from '../runs/frozen.ts';
import type { HookContext, InstructionSegment } from './hooks.ts';

/** What the caller brought beside the run: hooks are told it, and the gate is not. */
export interface Brought {
  readonly userId: string | null;
  readonly measured_data: Json | null;
}

export type ContextBase = Omit<HookContext, 'signal'>;

/** A copy that nobody can change, so that a hook can't reach what the gate is about to judge. */
export function frozenCopy<T extends Json>(value: T): T {
  return frozen(structuredClone(value));
}

const copies = new WeakMap<Segment, InstructionSegment>();
const runs = new WeakMap<readonly InstructionSegment[], RunInput>();

/** The run that a hook's context was made from: for the defaults that work by rule. */
export function runOf(context: Pick<HookContext, 'instruction'>): RunInput | undefined {
  return runs.get(context.instruction);
}

/**
 * What every hook is given of a run.
 *
 * @param matched whether the tool is matched, or about to be: until then its description and schema are nobody's business (R1)
 */
export function contextFor(run: RunInput, brought: Brought, matched: boolean): ContextBase {
  const instruction = Object.freeze(run.segments.map(copyOf));
  runs.set(instruction, run);
  const prepared = run.proposal?.prepared;
  return {
    userId: brought.userId,
    instruction,
    request_from: run.request_from,
    mcpTool: frozen({
      name: run.tool.name,
      description: matched ? run.tool.description : null,
      inputSchema: matched ? frozenCopy(run.tool.input_schema) : null,
    }),
    arguments: prepared === null || prepared === undefined ? null : frozenCopy(plainOf(prepared)),
    measured_data: brought.measured_data,
    now: run.now,
  };
}

function copyOf(segment: Segment): InstructionSegment {
  let copy = copies.get(segment);
  if (copy === undefined) {
    const body = plainOf(segment.body);
    const isText = typeof body === 'string';
    copy = Object.freeze({
      text: isText ? body : '',
      value: isText ? null : frozenCopy(body),
      trust: segment.typed && segment.author === 'user' ? 'user' : 'untrusted',
      author: segment.author,
      origin: segment.origin,
      at: segment.at,
    });
    copies.set(segment, copy);
  }
  return copy;
}

/** A slot as hooks know it: the argument's key where arguments are flat, else its pointer. */
export function fieldOf(
  run: RunInput,
  slot: string,
): { readonly name: string; readonly slot: string; readonly schema: Json | null } {
  const path = slot.startsWith('/') ? segmentsOf(slot) : [];
  const [key] = path;
  const name = path.length === 1 && key !== undefined && key !== '' ? key : slot;
  const schema = schemaAt(run.tool.input_schema, path);
  return frozen({ name, slot, schema: schema === undefined ? null : frozenCopy(schema) });
}

/** As far as `properties` and `items` lead; a field that another keyword describes has none here. */
function schemaAt(schema: Json, path: readonly string[]): Json | undefined {
  let here: Json | undefined = schema;
  for (const key of path) {
    if (!isObject(here)) return undefined;
    const properties: Json | undefined = here.properties;
    here = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : here.items;
  }
  return path.length === 0 ? undefined : here;
}
