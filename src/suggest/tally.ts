import type { Json } from '../events/json.ts';
import { type Counts, counts, held } from './bounded.ts';
import { type Example, KINDS, type Kind } from './draft.ts';
import { type Finder, readersFor } from './finder.ts';
import { joined, type Leaf } from './leaves.ts';
import { approvedBefore, type Places, textsBefore } from './places.ts';
import type { Seen, SeenResult, SeenText } from './seen.ts';

/** Bounds, so that memory does not grow with the transcripts. */
export const MOST = {
  tools: 2_000,
  arguments: 500,
  distinct: 64,
  refs: 200,
  samples: 400,
  words: 20_000,
  keys: 400,
  sentences: 300,
} as const;

/** What is counted of one field of a tool's results for one argument. */
export interface RefTally {
  n: number;
  echo: number;
  choices: number;
  chanceHits: number;
}

export interface ArgumentTally {
  readonly pattern: string;
  required: boolean;
  n: number;
  empty: number;
  numbers: number;
  readonly distinct: Counts;
  /** Of each distinct value: in how many conversations. */
  readonly values: Map<string, { readonly value: Json; n: number }>;
  readonly found: Record<Kind, number>;
  readonly typedBy: Counts;
  readonly refs: Map<string, RefTally>;
  /** Of the first values: the refs that held each without repeating it. */
  readonly samples: ReadonlySet<string>[];
  readonly passed: Counts;
  /** Values that were looked for beside the own ones, to tell chance, and how many of them were typed. */
  contrasts: number;
  typedByChance: number;
  approvedByChance: number;
  /** Recent values of other conversations. */
  readonly recent: Leaf[];
  readonly firsts: Example[];
  readonly byKind: Map<string, Example>;
  /** Fields beside the value in its record that the user typed. */
  readonly siblings: Map<string, { readonly said: Counts; readonly values: Counts }>;
}

export function argumentTally(pattern: string): ArgumentTally {
  return {
    pattern,
    required: false,
    n: 0,
    empty: 0,
    numbers: 0,
    distinct: counts(MOST.distinct),
    values: new Map(),
    found: Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>,
    typedBy: counts(16),
    refs: new Map(),
    samples: [],
    passed: counts(MOST.refs),
    contrasts: 0,
    typedByChance: 0,
    approvedByChance: 0,
    recent: [],
    firsts: [],
    byKind: new Map(),
    siblings: new Map(),
  };
}

const CONTRASTS = 4;
const EXAMPLES = 3;

/** Counts one value of a conversation. `example` is null where none may be kept. */
export function count(
  tally: ArgumentTally,
  leaf: Leaf,
  places: Places,
  context: {
    readonly before: number;
    readonly seen: Seen;
    readonly finder: Finder;
    readonly example: Example | null;
  },
): void {
  const { seen, before, finder } = context;
  tally.n++;
  if (leaf.value === null || leaf.key === null || leaf.key.startsWith('\0')) tally.empty++;
  if (typeof leaf.value === 'number') tally.numbers++;
  const name = leaf.key ?? JSON.stringify(leaf.value)?.slice(0, 80) ?? '';
  tally.distinct.add(name);
  const own = held(tally.values, name, MOST.distinct, () => ({ value: leaf.value, n: 0 }));
  if (own !== undefined) own.n++;
  for (const kind of places.kinds) tally.found[kind]++;
  for (const reader of places.typedBy) tally.typedBy.add(reader);
  for (const { tool, path } of places.arguments) tally.passed.add(joined(tool, path));

  const refs = new Map<string, { echo: boolean; choices: number }>();
  for (const { result, leaf: there, echo } of places.results) {
    const id = joined(result.tool, there.pattern);
    const known = refs.get(id);
    // The latest result with the field says how many there were to choose from.
    refs.set(id, { echo: echo && (known?.echo ?? true), choices: choicesAt(result, there.pattern) });
  }
  for (const [id, { echo, choices }] of refs) {
    const ref = held(tally.refs, id, MOST.refs, () => ({ n: 0, echo: 0, choices: 0, chanceHits: 0 }));
    if (ref === undefined) continue;
    ref.n++;
    if (echo) ref.echo++;
    ref.choices += choices;
  }
  if (tally.samples.length < MOST.samples) {
    const told = [...refs].filter(([, { echo }]) => !echo).map(([id]) => id);
    tally.samples.push(new Set(told));
  }
  contrast(tally, leaf, before, seen, finder);
  if (context.example === null) return;
  if (tally.firsts.length < EXAMPLES) tally.firsts.push(context.example);
  const kind = [...places.kinds][0] ?? 'nowhere';
  if (!tally.byKind.has(kind)) tally.byKind.set(kind, context.example);
}

const choices = new WeakMap<SeenResult, Map<string, number>>();

/** How many different values a result has at a path; all paths of a result are counted at once. */
function choicesAt(result: SeenResult, pattern: string): number {
  let known = choices.get(result);
  if (known === undefined) {
    const keys = new Map<string, Set<string>>();
    for (const leaf of result.leaves) {
      if (leaf.key === null) continue;
      const own = keys.get(leaf.pattern) ?? new Set<string>();
      keys.set(leaf.pattern, own.add(leaf.key));
    }
    known = new Map([...keys].map(([path, own]) => [path, own.size]));
    choices.set(result, known);
  }
  return known.get(pattern) ?? 0;
}

/** Looks for values of other conversations here: what is found of them is found by chance. */
function contrast(tally: ArgumentTally, leaf: Leaf, before: number, seen: Seen, finder: Finder): void {
  for (const other of tally.recent) {
    if (other.key === leaf.key || other.key === null) continue;
    tally.contrasts++;
    const readers = readersFor(other.value);
    const holds = (text: SeenText) => readers.some((reader) => finder.holds(text, reader, other.value));
    if (textsBefore(seen.typed, before).some(holds)) tally.typedByChance++;
    if (approvedBefore(seen, before).some(holds)) tally.approvedByChance++;
    const hit = new Set<string>();
    for (const { result, leaf: there } of seen.told.get(other.key) ?? []) {
      if (result.segment >= before) break;
      hit.add(joined(result.tool, there.pattern));
    }
    for (const id of hit) {
      const ref = tally.refs.get(id);
      if (ref !== undefined) ref.chanceHits++;
    }
  }
}

/** Remembers a conversation's values for the contrasts of later ones. */
export function remember(tally: ArgumentTally, leaves: readonly Leaf[]): void {
  for (const leaf of leaves) {
    if (tally.recent.some(({ key }) => key === leaf.key)) continue;
    tally.recent.push(leaf);
    if (tally.recent.length > CONTRASTS) tally.recent.shift();
  }
}

/** Up to three examples, of as many kinds as there are. */
export function examplesOf(tally: ArgumentTally): Example[] {
  const chosen = [...tally.byKind]
    .sort(([a], [b]) => tally.found[b as Kind] - tally.found[a as Kind])
    .map(([, one]) => one);
  for (const one of tally.firsts) if (!chosen.includes(one)) chosen.push(one);
  return chosen.slice(0, EXAMPLES);
}
