import { hash } from 'node:crypto';

/** Node's own pool is 8 kB: at some 600 bytes an event, filling it anew is a tenth of the work. */
const SLAB = 64 * 1024;
let slab = Buffer.alloc(0);
let used = 0;

/**
 * The bytes of an event with their RFC 6962 leaf hash, from the encoder's string: 0x00 ‖ bytes are written once, and
 * hashing copies nothing.
 */
export function leafOfText(text: string): { bytes: Buffer; leaf: Buffer } {
  const most = 1 + 3 * text.length;
  if (most > SLAB / 4) {
    const prefixed = Buffer.from(`\0${text}`, 'utf8');
    return { bytes: prefixed.subarray(1), leaf: sha256(prefixed) };
  }
  if (most > slab.length - used) {
    slab = Buffer.allocUnsafeSlow(SLAB);
    used = 0;
  }
  const start = used;
  slab[start] = 0;
  used = start + 1 + slab.write(text, start + 1, 'utf8');
  return { bytes: slab.subarray(start + 1, used), leaf: sha256(slab.subarray(start, used)) };
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
