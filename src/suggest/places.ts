import type { Kind } from './draft.ts';
import type { Leaf } from './leaves.ts';
import { type Finder, readersFor, type Seen, type SeenResult, type SeenText } from './seen.ts';

/** Where one value stood before the call that used it. */
export interface Places {
  readonly kinds: ReadonlySet<Kind>;
  /** The readers that found it in what the user typed. */
  readonly typedBy: readonly string[];
  readonly results: readonly { readonly result: SeenResult; readonly leaf: Leaf; readonly echo: boolean }[];
  readonly arguments: readonly { readonly tool: string; readonly path: string }[];
  /** The first place, in words. */
  readonly words: string;
}

/** Looks for a value in everything that stood before segment `before`. */
export function placesOf(leaf: Leaf, before: number, seen: Seen, finder: Finder): Places {
  const { value, key } = leaf;
  const kinds = new Set<Kind>();
  const readers = readersFor(value);
  const by = (texts: readonly SeenText[]) => {
    const found = new Map<string, SeenText>();
    for (const text of texts) {
      if (text.segment >= before) break;
      for (const reader of readers) {
        if (!found.has(reader) && finder.holds(text, reader, value)) found.set(reader, text);
      }
    }
    return found;
  };
  const words: string[] = [];
  const say = (kind: Kind, said: string): void => {
    if (!kinds.has(kind)) words.push(said);
    kinds.add(kind);
  };
  const typed = by(seen.typed);
  for (const [reader, text] of typed) say('typed', `typed in message ${text.message} (${reader})`);
  const approved = by(seen.approved.filter(({ reply }) => reply < before).map(({ shown }) => shown));
  for (const text of approved.values()) say('approved', `shown in message ${text.message}, answered yes`);
  const results: { result: SeenResult; leaf: Leaf; echo: boolean }[] = [];
  if (key !== null) {
    for (const result of seen.results) {
      if (result.segment >= before) break;
      for (const there of result.byKey.get(key) ?? []) {
        results.push({ result, leaf: there, echo: result.asked.has(key) });
        say('result', `${result.tool} ${there.pattern}, message ${result.message}`);
      }
    }
  }
  const bare = by(seen.prose);
  for (const text of bare.values()) say('prose', `prose of ${text.tool}, message ${text.message}`);
  for (const text of by(seen.agent).values()) say('shown', `written by the agent in message ${text.message}`);
  const passed = key === null ? [] : passedBefore(key, before, seen);
  for (const { tool, path } of passed) say('argument', `argument ${path} of an earlier ${tool}`);
  for (const text of by(seen.system).values()) say('system', `system text, message ${text.message}`);
  if (kinds.size === 0) say('nowhere', 'nowhere');
  return { kinds, typedBy: [...typed.keys()], results, arguments: passed, words: words[0] ?? 'nowhere' };
}

function passedBefore(key: string, before: number, seen: Seen): { tool: string; path: string }[] {
  const found = new Map<string, { tool: string; path: string }>();
  for (const { tool, segment, arguments: passed, asked } of seen.results) {
    if (segment >= before) break;
    if (!asked.has(key)) continue;
    for (const leaf of passed) {
      if (leaf.key === key) found.set(`${tool} ${leaf.pattern}`, { tool, path: leaf.pattern });
    }
  }
  return [...found.values()];
}
