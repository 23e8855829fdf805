import { hash } from 'node:crypto';
import { encode } from './canonical.ts';
import { isInOrder } from './in-order.ts';

/**
 * `sha256:` and the hex SHA-256 of the canonical bytes. For what is declared (tools, checklists), for gates, verdicts and
 * reports; never for a value that could be guessed.
 *
 * @throws GroundsError `events/not-json` as `encode` does.
 */
export function digestOf(value: unknown): string {
  return digestOfBytes(encode(value));
}

/** The same of what this code built itself, in half the time: plain data, with nothing in it that runs when it is read. */
export function digestOfBuilt(value: unknown): string {
  return digestOfBytes(isInOrder(value) ? JSON.stringify(value) : encode(value));
}

/** Of bytes as they are; a string stands for its UTF-8. */
export function digestOfBytes(bytes: string | Uint8Array): string {
  return `sha256:${hash('sha256', bytes, 'hex')}`;
}
