import { encode } from '../events/canonical.ts';
import { parseMarked } from '../events/ingress.ts';
import { isWellFormed, type Json } from '../events/json.ts';
import type { Segment } from '../events/segment.ts';
import { structure } from '../transcripts/structured.ts';

/** Who was called with what: of a tool's result, or of what a hook measured. */
export interface Observed {
  readonly author: 'tool' | 'hook';
  readonly tool: string;
  readonly arguments: Json;
  readonly failed: boolean;
  /** ISO 8601. */
  readonly at: string;
}

/**
 * A result as a segment of its conversation. Text that is structured is stored as the value it denotes, as an import does.
 * What can't be stored exactly leaves what can be kept of it, or null, and a fault: it then measures nothing, and the
 * outcome is recorded all the same. Never throws.
 */
export function resultSegment(
  result: unknown,
  { author, tool, arguments: args, failed, at }: Observed,
): Segment {
  const { body, fault } = storable(result);
  return {
    at,
    author,
    body: { plain: body },
    observes: { arguments: { plain: args }, failed, fault, tool },
    origin: null,
    typed: false,
  };
}

interface Storable {
  readonly body: Json;
  readonly fault: string | null;
}

function storable(result: unknown): Storable {
  return typeof result === 'string' ? storedText(result) : storedValue(result);
}

function storedText(text: string): Storable {
  if (!isWellFormed(text)) return { body: scrubbed(text), fault: 'lone_surrogate' };
  const read = structure(text);
  if (read === null) return { body: text, fault: null };
  if ('fault' in read) return { body: text, fault: read.fault };
  return isStorable(read.value) ? { body: read.value, fault: null } : { body: text, fault: 'not_json' };
}

function storedValue(value: unknown): Storable {
  let text: string | undefined;
  let exact = true;
  try {
    text = encode(value);
  } catch {
    exact = false;
    text = coerced(value);
  }
  // Read again, so that what the caller does to its object afterwards changes nothing, and to the depth that foreign JSON may have.
  const read = text === undefined ? null : parseMarked(text);
  if (read === null) return { body: null, fault: 'not_json' };
  if ('fault' in read) return { body: null, fault: read.fault.code };
  if (!isStorable(read.value)) return { body: null, fault: 'not_json' };
  return { body: read.value, fault: exact ? null : (read.faults[0]?.code ?? 'not_json') };
}

/** What JSON.stringify makes of it, which is a coercion: it stands beside a fault. */
function coerced(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function isStorable(value: Json): boolean {
  try {
    encode(value);
    return true;
  } catch {
    return false;
  }
}

function scrubbed(text: string): string {
  return (text as string & { toWellFormed(): string }).toWellFormed();
}
