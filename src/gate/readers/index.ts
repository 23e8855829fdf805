import type { ReaderSpec } from '../../declarations/checklist.ts';
import { boolean, oneOf } from './choices.ts';
import { date } from './date.ts';
import { datetime } from './datetime.ts';
import { decimal, integer, money } from './number-readers.ts';
import type { Reader } from './reader.ts';
import { text } from './text.ts';
import { textFold } from './text-fold.ts';
import { url } from './url.ts';
import { webAddress } from './web-address.ts';

export { foldPhrase, type PhraseTable, phraseTable, scanPhrases } from './phrases.ts';
export type { ReadContext, Reader, Span } from './reader.ts';
export { cutsToken, foldAscii, isWhole } from './tokens.ts';

const BUILT_IN: ReadonlyMap<string, Reader> = new Map(
  [
    text,
    textFold,
    integer('integer'),
    decimal('decimal'),
    money('money'),
    boolean('boolean', { true: [], false: [] }),
    date('date'),
    datetime('datetime'),
    url,
    webAddress,
  ].map((reader) => [reader.name, reader]),
);

function declared(name: string, spec: ReaderSpec): Reader {
  if ('one_of' in spec) return oneOf(name, spec.one_of);
  if ('boolean' in spec) return boolean(name, spec.boolean);
  if ('integer' in spec) return integer(name, spec.integer);
  if ('decimal' in spec) return decimal(name, spec.decimal);
  if ('money' in spec) return money(name, spec.money);
  if ('date' in spec) return date(name, spec.date.order);
  return datetime(name, spec.datetime.zone);
}

/** By the spec's identity: tables are built once, and a spec that nobody holds any more is forgotten. */
const made = new WeakMap<ReaderSpec, Map<string, Reader>>();

/**
 * The reader of this name: a built-in one, which no declaration can change, or a declared one; null if there is none.
 * Cheap to call. A spec must not be changed after its first use. RULES R8.
 */
export function readerOf(name: string, specs: Readonly<Record<string, ReaderSpec>>): Reader | null {
  const builtIn = BUILT_IN.get(name);
  if (builtIn !== undefined) return builtIn;
  const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
  if (spec === undefined) return null;
  const named = made.get(spec) ?? new Map<string, Reader>();
  const there = named.get(name);
  if (there !== undefined) return there;
  const reader = declared(name, spec);
  made.set(spec, named.set(name, reader));
  return reader;
}
