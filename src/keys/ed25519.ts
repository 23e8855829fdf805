import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { GroundsError } from '../errors.ts';
import { formatPublic, keyIdOf, parsePublic, parseSecret } from './format.ts';

/** What a record is checked with. */
export interface PublicKey {
  readonly name: string;
  /** `name+keyid`: how a signature names its key. */
  readonly id: string;
  /** The key as text. */
  readonly text: string;
  verify(bytes: Uint8Array, signature: Uint8Array): boolean;
}

/** What a record is signed with. The secret stays inside. */
export interface Signer {
  readonly name: string;
  readonly id: string;
  readonly public: PublicKey;
  /** 64 bytes. */
  sign(bytes: Uint8Array): Buffer;
}

/** DER around the 32 bytes of an Ed25519 key, RFC 8410. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** @throws GroundsError `keys/malformed` */
export function publicKeyOf(text: string): PublicKey {
  const { name, keyid, publicKey } = parsePublic(text);
  const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' });
  return {
    name,
    id: `${name}+${keyid}`,
    text,
    verify: (bytes, signature) => verify(null, bytes, key, signature),
  };
}

/** @throws GroundsError `keys/malformed` */
export function signerOf(secret: string): Signer {
  const { name, keyid, seed } = parseSecret(secret);
  const key = privateKeyOf(seed);
  const bytes = publicBytesOf(seed);
  if (keyIdOf(name, bytes) !== keyid) {
    throw new GroundsError(
      'keys/malformed',
      'This is no secret key: its id is not that of its name and key.',
      {
        facts: { name },
        hint: 'Restore the file from a backup, or make another key under another name.',
      },
    );
  }
  return {
    name,
    id: `${name}+${keyid}`,
    public: publicKeyOf(formatPublic(name, bytes)),
    sign: (data) => sign(null, data, key),
  };
}

/** The public half of a seed: 32 bytes. */
export function publicBytesOf(seed: Uint8Array): Buffer {
  const der = createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' });
  return der.subarray(SPKI.length);
}

export function isPublicKey(value: unknown): value is PublicKey {
  return typeof value === 'object' && value !== null && typeof (value as PublicKey).verify === 'function';
}

function privateKeyOf(seed: Uint8Array): ReturnType<typeof createPrivateKey> {
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
}
