import { plainOf } from '../events/content.ts';
import type { Json } from '../events/json.ts';
import { foldAscii } from '../gate/readers/index.ts';
import type { Conversation } from '../transcripts/index.ts';
import { argumentLeaves, type Leaf, resultLeaves } from './leaves.ts';
import { isToolName, NO, YES } from './words.ts';

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
  /** Where each value stands in the results, in their order. */
  readonly told: ReadonlyMap<string, readonly { readonly result: SeenResult; readonly leaf: Leaf }[]>;
  /** The arguments, of calls that were answered, that were each value. */
  readonly asked: ReadonlyMap<string, readonly { readonly result: SeenResult; readonly leaf: Leaf }[]>;
  /** Texts of the agent that the next typed reply answered with a yes, and where that reply stands. */
  readonly approved: readonly { readonly shown: SeenText; readonly reply: number }[];
  /** How typed replies to the agent began, where with a common yes or no. */
  readonly replies: readonly { readonly word: string; readonly yes: boolean }[];
}

/** Longer text is looked at so far. */
const LONGEST_TEXT = 200_000;

/** Results of tools that no checklist can name are left out: nothing could be measured by them. */
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
        ? { segment: index, message, text: body.slice(0, LONGEST_TEXT), tool: segment.observes?.tool ?? null }
        : null;
    if (segment.observes !== null && segment.observes.fault === null && segment.observes.failed !== true) {
      const { tool, arguments: passed } = segment.observes;
      if (text !== null) prose.push(text);
      else if (isToolName(tool)) results.push(resultOf(index, message, tool, plainOf(passed), body));
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
  const told = indexed(results, ({ leaves }) => leaves);
  const asked = indexed(results, ({ arguments: passed }) => passed);
  return { typed, agent, system, prose, results, told, asked, approved, replies };
}

function indexed(results: readonly SeenResult[], leavesOf: (result: SeenResult) => readonly Leaf[]) {
  const index = new Map<string, { result: SeenResult; leaf: Leaf }[]>();
  for (const result of results) {
    for (const leaf of leavesOf(result)) {
      if (leaf.key === null) continue;
      const list = index.get(leaf.key);
      if (list === undefined) index.set(leaf.key, [{ result, leaf }]);
      else list.push({ result, leaf });
    }
  }
  return index;
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
