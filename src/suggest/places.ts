import type { Kind } from './draft.ts';
import { type Finder, readersFor } from './finder.ts';
import { joined, type Leaf } from './leaves.ts';
import type { Seen, SeenResult, SeenText } from './seen.ts';

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
  const typed = by(textsBefore(seen.typed, before));
  for (const [reader, text] of typed) say('typed', `typed in message ${text.message} (${reader})`);
  const approved = by(approvedBefore(seen, before));
  for (const text of approved.values()) say('approved', `shown in message ${text.message}, answered yes`);
  const results: { result: SeenResult; leaf: Leaf; echo: boolean }[] = [];
  for (const there of key === null ? [] : (seen.told.get(key) ?? []).slice(0, MOST_PLACES)) {
    if (there.result.segment >= before) break;
    results.push({ ...there, echo: key !== null && there.result.asked.has(key) });
    say('result', `${there.result.tool} ${there.leaf.pattern}, message ${there.result.message}`);
  }
  const bare = by(textsBefore(seen.prose, before));
  for (const text of bare.values()) say('prose', `prose of ${text.tool}, message ${text.message}`);
  for (const text of by(textsBefore(seen.agent, before)).values())
    say('shown', `written by the agent in message ${text.message}`);
  const passed = key === null ? [] : passedBefore(key, before, seen);
  for (const { tool, path } of passed) say('argument', `argument ${path} of an earlier ${tool}`);
  for (const text of by(textsBefore(seen.system, before)).values())
    say('system', `system text, message ${text.message}`);
  if (kinds.size === 0) say('nowhere', 'nowhere');
  return { kinds, typedBy: [...typed.keys()], results, arguments: passed, words: words[0] ?? 'nowhere' };
}

function passedBefore(key: string, before: number, seen: Seen): { tool: string; path: string }[] {
  const found = new Map<string, { tool: string; path: string }>();
  for (const { result, leaf } of (seen.asked.get(key) ?? []).slice(0, MOST_PLACES)) {
    if (result.segment >= before) break;
    found.set(joined(result.tool, leaf.pattern), { tool: result.tool, path: leaf.pattern });
  }
  return [...found.values()];
}

/** More places of one value, and more texts, are not looked at, so that a long conversation takes no quadratic time. */
const MOST_PLACES = 200;
const MOST_TEXTS = 60;

/** The texts before a segment: of many the first, which tell who it is, and the latest. */
export function textsBefore(texts: readonly SeenText[], before: number): readonly SeenText[] {
  let end = texts.length;
  while (end > 0 && (texts[end - 1]?.segment ?? 0) >= before) end--;
  if (end <= MOST_TEXTS) return texts.slice(0, end);
  return [...texts.slice(0, MOST_TEXTS / 2), ...texts.slice(end - MOST_TEXTS / 2, end)];
}

export function approvedBefore(seen: Seen, before: number): readonly SeenText[] {
  return seen.approved
    .filter(({ reply }) => reply < before)
    .slice(-MOST_TEXTS)
    .map(({ shown }) => shown);
}
