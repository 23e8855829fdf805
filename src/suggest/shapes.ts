import { isObject, type Json } from '../events/json.ts';
import { byCodeUnit } from '../gate/expand.ts';
import { type Counts, counts, held } from './bounded.ts';
import { MOST } from './tally.ts';
import { isReadName } from './words.ts';

/** The top-level fields of each tool's results: tools whose results look alike show the same kind of record. */
export type Shapes = Map<string, { results: number; readonly fields: Counts }>;

export function countShape(shapes: Shapes, tool: string, body: Json): void {
  const shape = held(shapes, tool, MOST.tools, () => ({ results: 0, fields: counts(64) }));
  if (shape === undefined || !isObject(body)) return;
  shape.results++;
  for (const field of Object.keys(body)) shape.fields.add(field);
}

const FEWEST_FIELDS = 4;
const ALIKE = 0.6;

/** For each tool the one whose name stands for all that show the same record: one that reads, the most used first. */
export function alike(shapes: Shapes): ReadonlyMap<string, string> {
  const usual = new Map<string, Set<string>>();
  for (const [tool, { results, fields }] of shapes) {
    const names = fields.sorted().filter(([, n]) => n * 2 > results);
    if (names.length >= FEWEST_FIELDS) usual.set(tool, new Set(names.map(([name]) => name)));
  }
  const order = [...usual.keys()].sort(
    (a, b) =>
      Number(isReadName(b)) - Number(isReadName(a)) ||
      (shapes.get(b)?.results ?? 0) - (shapes.get(a)?.results ?? 0) ||
      byCodeUnit(a, b),
  );
  const leads: string[] = [];
  const lead = new Map<string, string>();
  for (const tool of order) {
    const found = leads.find(
      (other) => similarity(usual.get(other) as Set<string>, usual.get(tool) as Set<string>) >= ALIKE,
    );
    lead.set(tool, found ?? tool);
    if (found === undefined) leads.push(tool);
  }
  return lead;
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0;
  for (const name of a) if (b.has(name)) both++;
  return both / (a.size + b.size - both);
}
