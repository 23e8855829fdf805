import { plainOf } from '../events/content.ts';
import type { Json } from '../events/json.ts';
import type { Reader } from '../gate/readers/index.ts';
import { foldAscii, readerOf } from '../gate/readers/index.ts';
import type { Conversation } from '../transcripts/index.ts';
import { argumentLeaves, type Leaf, resultLeaves } from './leaves.ts';
import { NO, YES } from './words.ts';

/** A structured result, with the call that it answers. */
export interface SeenResult {
  readonly segment: number;
  readonly message: number;
  readonly tool: string;
  readonly arguments: readonly Leaf[];
  readonly leaves: readonly Leaf[];
  readonly byKey: ReadonlyMap<string, readonly Leaf[]>;
  /** The keys of the call's own arguments: what the result merely repeats. */
  readonly asked: ReadonlySet<string>;
}

export interface SeenText {
  readonly segment: number;
  readonly message: number;
  readonly text: string;
  /** The tool whose prose result it is. */
  readonly tool: string | null;
}

/** One conversation, indexed by what stands where. */
export interface Seen {
  readonly typed: readonly SeenText[];
  readonly agent: readonly SeenText[];
  readonly system: readonly SeenText[];
  readonly prose: readonly SeenText[];
  readonly results: readonly SeenResult[];
  /** Texts of the agent that the next typed reply answered with a yes, and where that reply stands. */
  readonly approved: readonly { readonly shown: SeenText; readonly reply: number }[];
  /** How typed replies to the agent began, where with a common yes or no. */
  readonly replies: readonly { readonly word: string; readonly yes: boolean }[];
}

export function seenIn(conversation: Conversation): Seen {
  const typed: SeenText[] = [];
  const agent: SeenText[] = [];
  const system: SeenText[] = [];
  const prose: SeenText[] = [];
  const results: SeenResult[] = [];
  const approved: { shown: SeenText; reply: number }[] = [];
  const replies: { word: string; yes: boolean }[] = [];
  let shown: SeenText | null = null;
  conversation.segments.forEach(({ segment, message }, index) => {
    const body = plainOf(segment.body);
    const text =
      typeof body === 'string'
        ? { segment: index, message, text: body, tool: segment.observes?.tool ?? null }
        : null;
    if (segment.observes !== null && segment.observes.fault === null && segment.observes.failed !== true) {
      if (text === null)
        results.push(
          resultOf(index, message, segment.observes.tool, plainOf(segment.observes.arguments), body),
        );
      else prose.push(text);
    }
    if (text === null) return;
    if (segment.author === 'agent') {
      agent.push(text);
      shown = text;
    } else if (segment.author === 'system') system.push(text);
    else if (segment.author === 'user' && segment.typed) {
      typed.push(text);
      if (shown === null) return;
      const no = beginning(text.text, NO);
      const yes = no === null ? beginning(text.text, YES) : null;
      if (no !== null) replies.push({ word: no, yes: false });
      if (yes !== null) {
        replies.push({ word: yes, yes: true });
        approved.push({ shown, reply: index });
      }
      shown = null;
    }
  });
  return { typed, agent, system, prose, results, approved, replies };
}

function resultOf(segment: number, message: number, tool: string, asked: Json, body: Json): SeenResult {
  const leaves = resultLeaves(body);
  const byKey = new Map<string, Leaf[]>();
  for (const leaf of leaves) {
    if (leaf.key === null) continue;
    const list = byKey.get(leaf.key);
    if (list === undefined) byKey.set(leaf.key, [leaf]);
    else list.push(leaf);
  }
  const args = asked === null ? [] : argumentLeaves(asked);
  const keys = new Set(args.flatMap(({ key }) => (key === null ? [] : [key])));
  return { segment, message, tool, arguments: args, leaves, byKey, asked: keys };
}

/** The longest of the words that a text begins with. */
function beginning(text: string, words: readonly string[]): string | null {
  const start = foldAscii(text.slice(0, 60))
    .replaceAll('’', "'")
    .replace(/^[\s*_`"'“”(]+/, '');
  let found: string | null = null;
  for (const word of words) {
    if (
      start.startsWith(word) &&
      !/^[a-z']/.test(start.slice(word.length)) &&
      word.length > (found?.length ?? 0)
    )
      found = word;
  }
  return found;
}

const CONTEXT = { at: null, zone: 'UTC' };
const NAMES = ['text', 'date', 'datetime', 'integer', 'decimal', 'money', 'url', 'text_fold'] as const;
const READERS: ReadonlyMap<string, Reader> = new Map(
  NAMES.map((name): [string, Reader] => [name, readerOf(name, {}) as Reader]),
);

/** The readers that could read a value in a text, the strictest first. */
export function readersFor(value: Json): readonly string[] {
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'money'] : ['decimal', 'money'];
  if (typeof value !== 'string' || value === '') return [];
  if (/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value)) return ['text', 'date'];
  if (/^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:]+/.test(value)) return ['text', 'datetime'];
  if (/^https?:\/\//.test(value)) return ['text', 'url'];
  if (/^-?[0-9]+(\.[0-9]+)?$/.test(value)) return ['text', 'decimal'];
  return ['text', 'text_fold'];
}

export interface Finder {
  /** Whether a reader finds the value in this text. */
  holds(text: SeenText, reader: string, value: Json): boolean;
}

/** Remembers what was looked for in the texts of one conversation: calls ask for the same values again. */
export function finder(): Finder {
  const memo = new WeakMap<SeenText, Map<string, boolean>>();
  return {
    holds(text, reader, value) {
      const asked = `${reader}\n${typeof value}\n${JSON.stringify(value)}`;
      const known = memo.get(text) ?? new Map<string, boolean>();
      memo.set(text, known);
      const before = known.get(asked);
      if (before !== undefined) return before;
      const found = (READERS.get(reader)?.find(text.text, value, CONTEXT).length ?? 0) > 0;
      known.set(asked, found);
      return found;
    },
  };
}
