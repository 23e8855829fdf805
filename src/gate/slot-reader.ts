import type { Json } from '../events/json.ts';
import { readerOf } from './readers/index.ts';
import type { Reader } from './readers/reader.ts';
import type { Rules, SlotRule } from './rules-for.ts';

/** The reader of a slot: as declared, else by the type of the proposed leaf. null: it names a reader nobody declared. */
export function slotReader(rules: Rules, rule: SlotRule | undefined, leaf: Json | undefined): Reader | null {
  if (rule !== undefined && (rule.reader !== 'text' || typeof leaf === 'string')) {
    return readerOf(rule.reader, rules.readers);
  }
  if (typeof leaf === 'number') return readerOf('decimal', rules.readers);
  if (typeof leaf === 'boolean') return readerOf('boolean', rules.readers) ?? readerOf('text', rules.readers);
  return readerOf('text', rules.readers);
}
