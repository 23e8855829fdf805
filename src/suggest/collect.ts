import type { ToolDeclaration } from '../declarations/tool.ts';
import { plainOf } from '../events/content.ts';
import { slotsOf } from '../gate/tool-slots.ts';
import type { Conversation, ConversationCall } from '../transcripts/index.ts';
import { type Counts, counts, held } from './bounded.ts';
import type { Example } from './draft.ts';
import { type Finder, finder } from './finder.ts';
import { countGroups, type GroupTallies } from './groups.ts';
import { countKeys, type KeyTallies } from './keys.ts';
import { argumentLeaves, type Leaf } from './leaves.ts';
import { placesOf } from './places.ts';
import { type Seen, type SeenResult, seenIn } from './seen.ts';
import { countShape, type Shapes } from './shapes.ts';
import { countSiblings } from './siblings.ts';
import { type ArgumentTally, argumentTally, count, MOST, remember } from './tally.ts';
import { conditionsIn, contentWords, isReadName, isToolName, TIMING_WORDS } from './words.ts';

export interface ToolTally {
  calls: number;
  /** Conversations in which it was called. */
  conversations: number;
  readonly arguments: Map<string, ArgumentTally>;
  /** Words typed before its first call in a conversation. */
  readonly words: Counts;
}

/** All that is counted, over any number of conversations. */
export interface Collected {
  conversations: number;
  calls: number;
  unreadable: number;
  readonly declared: Map<string, ToolDeclaration>;
  readonly tools: Map<string, ToolTally>;
  readonly keys: KeyTallies;
  readonly groups: GroupTallies;
  readonly shapes: Shapes;
  readonly yes: Counts;
  readonly no: Counts;
  readonly timing: ReadonlyMap<string, Counts>;
  readonly sentences: Map<string, { readonly cue: string; n: number }>;
  readonly now: Counts;
  readonly zones: Counts;
  readonly errors: Counts;
  readonly notes: Set<string>;
}

export function collected(tools: readonly ToolDeclaration[]): Collected {
  return {
    conversations: 0,
    calls: 0,
    unreadable: 0,
    declared: new Map(tools.map((tool) => [tool.name, tool])),
    tools: new Map(),
    keys: new Map(),
    groups: new Map(),
    shapes: new Map(),
    yes: counts(64),
    no: counts(64),
    timing: new Map(Object.keys(TIMING_WORDS).map((kind) => [kind, counts(64)])),
    sentences: new Map(),
    now: counts(16),
    zones: counts(16),
    errors: counts(16),
    notes: new Set(),
  };
}

/** Counts one conversation; nothing of it is held afterwards but what the tallies keep. */
export function collect(into: Collected, conversation: Conversation, examples: boolean): void {
  into.conversations++;
  for (const tool of conversation.tools) {
    if (!into.declared.has(tool.name) && into.declared.size < MOST.tools) into.declared.set(tool.name, tool);
  }
  for (const note of conversation.notes) if (into.notes.size < 50) into.notes.add(note);
  const seen = seenIn(conversation);
  for (const { word, yes } of seen.replies) (yes ? into.yes : into.no).add(word);
  countTexts(into, seen);
  for (const { segment } of conversation.segments) {
    if (segment.observes !== null) countShape(into.shapes, segment.observes.tool, plainOf(segment.body));
  }
  countCalls(into, conversation, seen, examples);
}

function countCalls(into: Collected, conversation: Conversation, seen: Seen, examples: boolean): void {
  const find = finder();
  const once = new Set<string>();
  const values = new Map<ArgumentTally, Leaf[]>();
  const called = new Set<string>();
  for (const call of conversation.calls) {
    into.calls++;
    if (call.arguments.value === null) {
      into.unreadable++;
      continue;
    }
    const tool = held(into.tools, call.tool, MOST.tools, () => ({
      calls: 0,
      conversations: 0,
      arguments: new Map(),
      words: counts(MOST.words),
    }));
    if (tool === undefined) continue;
    tool.calls++;
    const leaves = argumentLeaves(call.arguments.value).filter(({ pattern }) => pattern !== '');
    if (!called.has(call.tool)) {
      called.add(call.tool);
      tool.conversations++;
      const typed = seen.typed.filter(({ segment }) => segment < call.before).map(({ text }) => text);
      for (const word of contentWords(typed.join('\n'))) tool.words.add(word);
    }
    countCall(into, conversation, call, tool, { leaves, seen, find, once, values, examples });
  }
  for (const [tally, own] of values) remember(tally, own);
}

/** So many results that gave a call its values are looked at for keys. */
const MOST_GAVE = 20;

interface Context {
  readonly leaves: readonly Leaf[];
  readonly seen: Seen;
  readonly find: Finder;
  /** What of this conversation is counted already. */
  readonly once: Set<string>;
  readonly values: Map<ArgumentTally, Leaf[]>;
  readonly examples: boolean;
}

function countCall(
  into: Collected,
  conversation: Conversation,
  call: ConversationCall,
  tool: ToolTally,
  context: Context,
): void {
  const { leaves, seen, find, once, values } = context;
  const required = requiredIn(into, call);
  const gave = new Set<SeenResult>();
  const fresh = leaves.filter((leaf) => {
    const id = `${call.tool}\n${leaf.pattern}\n${leaf.key ?? JSON.stringify(leaf.value)}`;
    const first = !once.has(id);
    once.add(id);
    return first;
  });
  for (const leaf of fresh) {
    const tally = held(tool.arguments, leaf.pattern, MOST.arguments, () => argumentTally(leaf.pattern));
    if (tally === undefined) continue;
    if (required.has(leaf.pattern)) tally.required = true;
    const places = placesOf(leaf, call.before, seen, find);
    const example: Example | null = context.examples
      ? { ...conversation.origin, message: call.message, value: shortened(leaf), found: places.words }
      : null;
    count(tally, leaf, places, { before: call.before, seen, finder: find, example });
    const own = values.get(tally);
    if (own === undefined) values.set(tally, [leaf]);
    else own.push(leaf);
    for (const { result, leaf: there, echo } of places.results) {
      if (!echo) gave.add(result);
      if (!echo && !places.kinds.has('typed')) countSiblings(tally, result, there, call.before, seen, find);
    }
  }
  if (isReadName(call.tool) || !isToolName(call.tool) || fresh.length === 0) return;
  for (const result of [...gave].slice(-MOST_GAVE))
    countKeys(into.keys, call.tool, { leaves, before: call.before }, result, seen, find);
  countGroups(into.groups, call.tool, leaves, call.before, seen);
}

function shortened({ value }: Leaf): Leaf['value'] {
  return typeof value === 'string' && value.length > 60 ? `${value.slice(0, 59)}…` : value;
}

function requiredIn(into: Collected, call: ConversationCall): ReadonlySet<string> {
  const schema = into.declared.get(call.tool)?.input_schema ?? null;
  if (schema === null) return new Set();
  const slots = slotsOf(schema, call.arguments.value ?? undefined);
  if ('fault' in slots) return new Set();
  return new Set(slots.leaves.filter(({ required }) => required).map(({ pattern }) => pattern));
}

const NOW =
  /\b((?:the )?(?:current|present) (?:date|time|date and time) is:? )\**[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]?[0-9:]*(?: ?([A-Z]{3}|[+-][0-9]{2}:[0-9]{2})\b)?/i;

function countTexts(into: Collected, seen: Seen): void {
  for (const { text } of seen.typed) {
    const folded = text.toLowerCase();
    for (const [kind, words] of Object.entries(TIMING_WORDS)) {
      for (const word of words) {
        if (new RegExp(`\\b${word}\\b`).test(folded)) into.timing.get(kind)?.add(word);
      }
    }
  }
  for (const { text } of seen.system) {
    const now = NOW.exec(text);
    if (now?.[1] !== undefined) into.now.add(now[1]);
    if (now?.[2] !== undefined) into.zones.add(now[2]);
    for (const { text: sentence, cue } of conditionsIn(text)) {
      const known = held(into.sentences, sentence, MOST.sentences, () => ({ cue, n: 0 }));
      if (known === undefined)
        into.notes.add('There are more sentences that look like conditions than are kept.');
      else known.n++;
    }
  }
  for (const { text } of seen.prose) {
    const error = /^(error|failed|failure|exception)\b/i.exec(text)?.[1];
    if (error !== undefined) into.errors.add(error);
  }
}
