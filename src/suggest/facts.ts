import { RESERVED } from '../declarations/sound-facts.ts';
import { byCodeUnit } from '../gate/expand.ts';
import type { FactDraft } from './draft.ts';
import type { KeyTallies } from './keys.ts';
import { lastName } from './leaves.ts';
import { isReadName, nameWords } from './words.ts';

interface Key {
  readonly left: string;
  readonly right: string;
  readonly n: number;
  readonly of: number;
}

/** The fact that each measuring tool's results would stand in. */
export interface Facts {
  /** The name of the fact; tools that show the same record share one. */
  nameOf(tool: string): string;
  /** Those named, in the order of their names, and the facts that they are keyed by. */
  drafts(named: ReadonlySet<string>): FactDraft[];
}

const USUAL = 0.3;
const ID_NAME =
  /(^|[_-])(id|ids|email|e-?mail|number|no|code|key|login|phone|username|iban|sku|uuid|ref|reference)$/i;

export function factsFrom(
  tallies: KeyTallies,
  lead: ReadonlyMap<string, string>,
  measures: Iterable<string>,
  argumentsOf: (tool: string) => readonly string[],
): Facts {
  const leadOf = (tool: string): string => lead.get(tool) ?? tool;
  const tools = new Set([...measures].map(leadOf));
  for (const byMeasure of tallies.values()) for (const tool of byMeasure.keys()) tools.add(leadOf(tool));
  const sorted = [...tools].sort(byCodeUnit);
  const names = named(sorted);
  const keys = new Map(sorted.map((tool): [string, Key[]] => [tool, keysOf(tool, tallies)]));
  const edges = new Map<string, Set<string>>();
  for (const tool of sorted) {
    const own = keys.get(tool) as Key[];
    const best = bestFactKey(tool, tallies, (other) => {
      const target = leadOf(other);
      return target !== tool && (keys.get(target)?.length ?? 0) > 0 && !reaches(edges, target, tool)
        ? target
        : null;
    });
    if (best === null) continue;
    edges.set(tool, new Set([best.target]));
    own.push({ ...best.key, right: `${names.get(best.target)}#${best.path}` });
  }
  const nameOf = (tool: string): string => names.get(leadOf(tool)) ?? factName(tool);
  const draft = (tool: string): FactDraft => {
    const own = keys.get(tool) as Key[];
    const same = [...lead]
      .filter(([other, to]) => to === tool && other !== tool)
      .map(([other]) => other)
      .sort(byCodeUnit);
    const writes = same.filter((other) => !isReadName(other));
    const slot = own.find(({ left, right }) => left.startsWith('result/') && right.startsWith('/'));
    const key = slot === undefined ? '' : slot.left.slice('result'.length);
    const stales = slot === undefined ? [] : writes.filter((other) => argumentsOf(other).includes(key));
    return {
      name: nameOf(tool),
      take: own.length === 0 ? 'all' : 'latest',
      measured_by:
        own.length === 0
          ? [{ tool, match: {}, n: 0, of: 0 }]
          : [
              ...own.map(({ left, right, n, of }) => ({ tool, match: { [left]: right }, n, of })),
              ...(slot === undefined
                ? []
                : same.map((other) => ({ tool: other, match: { [slot.left]: slot.right }, n: 0, of: 0 }))),
            ],
      stale_after:
        slot === undefined || stales.length === 0
          ? []
          : [{ tools: stales, match: { [`arguments${key}`]: slot.right } }],
    };
  };
  return {
    nameOf,
    drafts(wanted) {
      const all = new Set(sorted.filter((tool) => wanted.has(nameOf(tool))));
      for (const tool of all) for (const other of edges.get(tool) ?? []) all.add(other);
      return [...all].map(draft).sort((a, b) => byCodeUnit(a.name, b.name));
    },
  };
}

/** The best slot key of each gated tool, then the best typed one. */
function keysOf(measure: string, tallies: KeyTallies): Key[] {
  const slots = new Map<string, Key>();
  const typed = new Map<string, Key>();
  for (const byMeasure of tallies.values()) {
    const tally = byMeasure.get(measure);
    if (tally === undefined) continue;
    const all = tally.keys.sorted().map(([key, n]): Key => {
      const [left = '', right = ''] = key.split('\n');
      return { left, right, n, of: tally.results };
    });
    const usual = all.filter(({ left, n, of }) => n >= of * USUAL && ID_NAME.test(lastName(left)));
    const slot = usual.filter(({ right }) => right.startsWith('/')).sort(better)[0];
    const said = usual.filter(({ right }) => right === 'typed').sort(better)[0];
    if (slot !== undefined) add(slots, slot);
    if (said !== undefined) add(typed, said);
  }
  const byCount = (a: Key, b: Key): number =>
    b.n - a.n || byCodeUnit(a.left, b.left) || byCodeUnit(a.right, b.right);
  return [...[...slots.values()].sort(byCount).slice(0, 2), ...[...typed.values()].sort(byCount).slice(0, 2)];
}

function add(keys: Map<string, Key>, key: Key): void {
  const id = `${key.left} ${key.right}`;
  const before = keys.get(id);
  keys.set(id, before === undefined ? key : { ...key, n: before.n + key.n, of: before.of + key.of });
}

/** More often; then names that say the same; then what the result itself says rather than what it was asked. */
function better(a: Key, b: Key): number {
  const rank = ({ left, right }: Key): number =>
    (right === 'typed' || lastName(left) === lastName(right) ? 2 : 0) + (left.startsWith('result') ? 1 : 0);
  return rank(b) - rank(a) || b.n - a.n || byCodeUnit(a.left, b.left) || byCodeUnit(a.right, b.right);
}

function bestFactKey(
  measure: string,
  tallies: KeyTallies,
  target: (tool: string) => string | null,
): { readonly key: Key; readonly target: string; readonly path: string } | null {
  let best: { key: Key; target: string; path: string } | null = null;
  for (const byMeasure of tallies.values()) {
    const tally = byMeasure.get(measure);
    for (const [id, n] of tally?.keys.sorted() ?? []) {
      const [left = '', right = ''] = id.split('\n');
      const [, tool, path = ''] = /^fact (\S+) (.*)$/.exec(right) ?? [];
      const to = tool === undefined ? null : target(tool);
      const of = tally?.results ?? 0;
      if (to === null || n < of * USUAL || (best !== null && n <= best.key.n)) continue;
      best = { key: { left, right, n, of }, target: to, path };
    }
  }
  return best;
}

function reaches(edges: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  if (from === to) return true;
  for (const next of edges.get(from) ?? []) if (reaches(edges, next, to)) return true;
  return false;
}

function named(tools: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>(RESERVED);
  for (const tool of tools) {
    const short = factName(tool);
    const full = identifier(nameWords(tool).join('_'));
    let name = taken.has(short) ? full : short;
    for (let i = 2; taken.has(name); i++) name = `${full}_${i}`;
    taken.add(name);
    names.set(tool, name);
  }
  return names;
}

/** `get_order_details` is order. */
function factName(tool: string): string {
  const words = nameWords(tool);
  if (words.length > 1 && isReadName(tool)) words.shift();
  while (
    words.length > 1 &&
    ['details', 'detail', 'info', 'information', 'data'].includes(words.at(-1) ?? '')
  )
    words.pop();
  return identifier(words.join('_'));
}

function identifier(text: string): string {
  const name = text.replace(/[^a-z0-9_]/g, '');
  return /^[a-z]/.test(name) ? name : `fact_${name}`;
}
