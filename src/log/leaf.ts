import { hash } from 'node:crypto';

/**
 * The bytes of an event with their RFC 6962 leaf hash, from the encoder's string: one buffer holds 0x00 ‖ bytes, so that
 * hashing copies nothing.
 */
export function leafOfText(text: string): { bytes: Buffer; leaf: Buffer } {
  const prefixed = Buffer.from(`\0${text}`, 'utf8');
  return { bytes: prefixed.subarray(1), leaf: sha256(prefixed) };
}

/** SHA-256(0x00 ‖ bytes): the leaf hash of RFC 6962 §2.1. */
export function leafHash(bytes: Uint8Array): Buffer {
  const prefixed = Buffer.allocUnsafe(bytes.length + 1);
  prefixed[0] = 0;
  prefixed.set(bytes, 1);
  return sha256(prefixed);
}

/** Through a one-byte string: twice as fast on Node 20 as asking `hash` for a buffer. */
function sha256(data: Buffer): Buffer {
  return Buffer.from(hash('sha256', data, 'binary'), 'latin1');
}
