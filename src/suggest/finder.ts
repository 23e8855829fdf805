import type { Json } from '../events/json.ts';
import { type Reader, readerOf } from '../gate/readers/index.ts';
import type { SeenText } from './seen.ts';

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

const MOST_REMEMBERED = 100_000;

/** Remembers what was looked for in the texts of one conversation: calls ask for the same values again. */
export function finder(): Finder {
  let memo = new WeakMap<SeenText, Map<string, boolean>>();
  let remembered = 0;
  return {
    holds(text, reader, value) {
      const asked = `${reader}\n${typeof value}\n${JSON.stringify(value)}`;
      if (remembered++ > MOST_REMEMBERED) {
        memo = new WeakMap();
        remembered = 0;
      }
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
