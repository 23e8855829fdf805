import { createHmac } from 'node:crypto';

/**
 * A UUID (version 8, RFC 9562) that the parts give under a log's own key: HMAC-SHA256 over the parts, each with its
 * length before it. Importing the same conversation again gives the same ids, so it adds nothing; and unlike a bare
 * digest it can't be guessed back to what it was made from.
 */
export function uuidFrom(key: Uint8Array, ...parts: string[]): string {
  const hmac = createHmac('sha256', key);
  const length = Buffer.alloc(4);
  for (const part of parts) {
    const bytes = Buffer.from(part, 'utf8');
    length.writeUInt32BE(bytes.length);
    hmac.update(length).update(bytes);
  }
  const id = hmac.digest().subarray(0, 16);
  id[6] = ((id[6] as number) & 0x0f) | 0x80;
  id[8] = ((id[8] as number) & 0x3f) | 0x80;
  const hex = id.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
