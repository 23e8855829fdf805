import { labelsOf } from '../../src/declarations/labels.ts';
import { rulesFor as merge } from '../../src/declarations/rules.ts';
import type { Json } from '../../src/events/json.ts';
import type { Place } from '../../src/events/place.ts';
import { segmentsOf } from '../../src/events/pointer.ts';
import type { Segment } from '../../src/events/segment.ts';
import { compile } from '../../src/gate/cel/index.ts';
import { type Reader, readerOf, type Span } from '../../src/gate/readers/index.ts';
import { scanNumbers } from '../../src/gate/readers/numbers.ts';
import type { RunInput } from '../../src/gate/types.ts';

/**
 * What the reference evaluator reads of a run: texts, results and entries. Nothing here is shared with the gate but the readers,
 * the expressions and the merged declarations; everything is worked out anew each time, as slowly as it is plain.
 */
export function plain<T>(content: { readonly plain: T } | object): T {
  return (content as { readonly plain: T }).plain;
}

export function bodyOf(run: RunInput, index: number): Json | undefined {
  const segment = run.segments[index];
  return segment === undefined ? undefined : plain<Json>(segment.body);
}

export function textAt(run: RunInput, index: number): string | null {
  const body = bodyOf(run, index);
  return typeof body === 'string' ? body : null;
}

export function typedByUser(segment: Segment | undefined): boolean {
  return segment?.author === 'user' && segment.typed === true;
}

/** Everything at a pattern, keys in order. */
export function all(value: Json | undefined, pattern: string): { pointer: string; value: Json }[] {
  if (value === undefined) return [];
  const [head, ...rest] = segmentsOf(pattern);
  if (head === undefined) return [{ pointer: '', value }];
  if (typeof value !== 'object' || value === null) return [];
  const names = Array.isArray(value) ? value.map((_, i) => String(i)) : Object.keys(value).sort();
  const tail = rest.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return names
    .filter((name) => head === '*' || head === name)
    .flatMap((name) =>
      all((value as Record<string, Json>)[name], tail).map((found) => ({
        pointer: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}${found.pointer}`,
        value: found.value,
      })),
    );
}

export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return canonical(a) === canonical(b);
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonical(item)).join()}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.keys(value).sort();
    return `{${members.map((key) => `${JSON.stringify(key)}:${canonical((value as Record<string, Json>)[key] as Json)}`).join()}}`;
  }
  return JSON.stringify(value);
}

/** Whether a pointer is one that a pattern names. */
export function named(pointer: string, pattern: string): boolean {
  return new RegExp(
    `^${pattern
      .split('/')
      .map((part) => (part === '*' ? '[^/]*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
      .join('/')}$`,
  ).test(pointer);
}

export function inForce(run: RunInput) {
  const inOrder = [...run.checklists].sort((a, b) => (a.digest < b.digest ? -1 : 1));
  const rules = merge(
    run.tool,
    inOrder.map(({ body }) => body),
    {
      ruleset: run.ruleset,
      compile: (source, define) => {
        const compiled = compile(source, define);
        return 'fault' in compiled ? { fault: compiled.fault } : {};
      },
    },
  );
  return { ...rules, written: labelsOf(run.tool.description ?? '').items };
}
export type InForce = ReturnType<typeof inForce>;

export function proposed(run: RunInput): Json | undefined {
  return run.proposal?.prepared == null ? undefined : plain<Json>(run.proposal.prepared);
}

export function contextFor(run: RunInput, rules: InForce, index: number | null) {
  const at = index === null ? null : (run.segments[index]?.at ?? null);
  return { at: at ?? run.now, zone: rules.zone };
}

export function find(
  run: RunInput,
  rules: InForce,
  index: number,
  reader: Reader,
  value: Json,
): readonly Span[] {
  const text = textAt(run, index);
  return text === null ? [] : reader.find(text, value, contextFor(run, rules, index));
}

/** Declared words, whole and folded, from left to right. */
export function wordsIn(run: RunInput, rules: InForce, index: number, words: readonly string[]): Span[] {
  const fold = readerOf('text_fold', rules.readers) as Reader;
  return words
    .flatMap((word) => [...find(run, rules, index, fold, word)])
    .sort((a, b) => a.start - b.start || b.end - a.end);
}

/** A span that stands in a text and cuts no character in two. */
export function standsIn(run: RunInput, place: Place): boolean {
  if (place.in !== 'text') return false;
  const text = textAt(run, place.segment);
  if (text === null || place.start >= place.end || place.end > text.length) return false;
  return [place.start, place.end].every(
    (at) =>
      at === 0 || at === text.length || !/^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1)),
  );
}

/** What stands at a place, as it is. */
export function raw(run: RunInput, place: Place): Json | undefined {
  if (place.in === 'text') {
    return standsIn(run, place) ? textAt(run, place.segment)?.slice(place.start, place.end) : undefined;
  }
  if (place.in === 'json') {
    const segment = run.segments[place.segment];
    if (segment === undefined || place.pointer.includes('*')) return undefined;
    const base =
      place.of === 'result'
        ? plain<Json>(segment.body)
        : segment.observes === null
          ? undefined
          : plain<Json>(segment.observes.arguments);
    return all(base, place.pointer)[0]?.value;
  }
  const entry = run.entries[place.entry];
  if (entry?.kind === 'answer' || entry?.kind === 'setting') {
    return place.pointer === '/value' ? plain<Json>(entry.value) : undefined;
  }
  const index = Number(place.pointer.split('/')[2]);
  if (entry?.kind === 'approval') {
    if (place.pointer === '/declined') return entry.declined;
    const item = place.pointer === `/shown/${index}/value` ? entry.shown[index] : undefined;
    return item === undefined ? undefined : plain<Json>(item.value);
  }
  if (entry?.kind === 'baseline') {
    const item = place.pointer === `/slots/${index}/value` ? entry.slots[index] : undefined;
    return item === undefined ? undefined : plain<Json>(item.value);
  }
  return undefined;
}

interface Exchange {
  readonly shown: number;
  readonly reply: number;
}

/** R9: pairs of a shown text and the typed reply right after it that says yes, or no. */
function pairs(run: RunInput, rules: InForce): { yes: Exchange[]; no: Exchange[] } {
  const out: { yes: Exchange[]; no: Exchange[] } = { yes: [], no: [] };
  for (let reply = run.request_from; reply < run.segments.length; reply++) {
    if (!typedByUser(run.segments[reply])) continue;
    let shown = -1;
    for (let before = reply - 1; before >= 0 && !typedByUser(run.segments[before]); before--) {
      if (run.segments[before]?.author === 'agent' && textAt(run, before) !== null) {
        shown = before;
        break;
      }
    }
    // A no right after the reply to a text still speaks of that text.
    let of = shown;
    for (let before = reply - 1; of < 0 && before >= 0; before--) {
      if (run.segments[before]?.author === 'agent' && textAt(run, before) !== null) of = before;
    }
    if (of < 0) continue;
    const said = textAt(run, reply) ?? '';
    const begin = said.length - said.replace(/^[ \t\r\n*_`“”‘’(]+/, '').length;
    const begins = (words: readonly string[]) =>
      wordsIn(run, rules, reply, words).find(({ start }) => start === begin);
    if (begins(rules.intent.no)) {
      out.no.push({ shown: of, reply });
      continue;
    }
    const yes = begins(rules.intent.yes);
    if (yes === undefined || shown < 0) continue;
    const rest = said.slice(yes.end);
    const breath = /^[^.!?\r\n]*[.…]*[^.!?\r\n]*/.exec(rest)?.[0] ?? '';
    const takenBack = wordsIn(run, rules, reply, rules.intent.no).some(
      ({ start }) => start >= yes.end && start < yes.end + breath.length,
    );
    if (/^[*_`”’ ]*\?/.test(rest) || takenBack) continue;
    if (nothingNew(said, textAt(run, shown) ?? '')) out.yes.push({ shown, reply });
  }
  return out;
}

/** No number and no name in the reply that the shown text lacks. */
function nothingNew(reply: string, shown: string): boolean {
  const tokens = (text: string) => text.match(/[A-Za-z0-9_$'-]+(?:[.,][0-9]+)*/g) ?? [];
  const low = (word: string) => word.replace(/^\$/, '').replaceAll(',', '').toLowerCase();
  const there = new Set(tokens(shown).map(low));
  const amounts = (text: string) => scanNumbers(text).map(({ decimal }) => decimal);
  if (amounts(reply).some((amount) => !amounts(shown).includes(amount))) return false;
  return reply
    .split(/[.!?\n]/)
    .flatMap((sentence) => tokens(sentence).map((word, index) => ({ word, first: index === 0 })))
    .every(({ word, first }) => {
      const telling = /[0-9]/.test(word) || (/^[A-Z]/.test(word) && !first && word !== 'I' && word !== 'A');
      return !telling || there.has(low(word)) || /^(I'm|I'd|I'll|I've|OK)$/.test(word);
    });
}

/** The texts that a yes approves for this call: not yet spent by the same call. */
export function approvedTexts(run: RunInput, rules: InForce): Exchange[] {
  const spent = ({ reply }: Exchange) =>
    run.segments.some(
      ({ observes }, index) =>
        index > reply &&
        observes?.tool === run.tool.name &&
        proposed(run) !== undefined &&
        (plain<Json>(observes.arguments) === null || equal(plain<Json>(observes.arguments), proposed(run))),
    );
  return pairs(run, rules).yes.filter((pair) => !spent(pair));
}

/** A later no to a text that showed this value. */
export function takenBack(
  run: RunInput,
  rules: InForce,
  approved: Exchange,
  reader: Reader,
  value: Json,
): boolean {
  return pairs(run, rules).no.some(
    (no) => no.reply > approved.reply && find(run, rules, no.shown, reader, value).length > 0,
  );
}

/** A result that is an error, as its format says or else by the declared beginnings. */
export function isError(run: RunInput, rules: InForce, index: number): boolean {
  const said = run.segments[index]?.observes?.failed;
  const text = textAt(run, index);
  return said ?? (text !== null && rules.tool_errors.some((form) => text.startsWith(form)));
}

/** Whether the user typed this very value, as a whole token. */
export function typedAnywhere(run: RunInput, rules: InForce, value: Json): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  const exact = readerOf('text', {}) as Reader;
  return run.segments.some(
    (segment, index) => typedByUser(segment) && find(run, rules, index, exact, value).length > 0,
  );
}
