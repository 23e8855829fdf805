import { createHash } from 'node:crypto';
import { encode } from './canonical.ts';

/** `sha256:` and the hexadecimal hash of a value's canonical bytes. */
export function digestOf(value: unknown): string {
  return `sha256:${createHash('sha256').update(encode(value), 'utf8').digest('hex')}`;
}
