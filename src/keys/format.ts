import { hash } from 'node:crypto';
import { GroundsError } from '../errors.ts';

/** The algorithm byte of Ed25519 in C2SP signed notes. */
const ED25519 = 0x01;
const SECRET = 'PRIVATE+KEY+';

export interface PublicParts {
  readonly name: string;
  /** First four bytes of SHA-256(name ‖ 0x0A ‖ algorithm ‖ public key), as eight hex digits. */
  readonly keyid: string;
  /** 32 bytes. */
  readonly publicKey: Buffer;
}

export interface SecretParts {
  readonly name: string;
  readonly keyid: string;
  /** 32 bytes. */
  readonly seed: Buffer;
}

/** The key id of C2SP signed notes, https://c2sp.org/signed-note. */
export function keyIdOf(name: string, publicKey: Uint8Array): string {
  const text = Buffer.concat([Buffer.from(`${name}\n`, 'utf8'), Buffer.from([ED25519]), publicKey]);
  return hash('sha256', text, 'hex').slice(0, 8);
}

/** `name+keyid+base64(01 ‖ public key)`: what may be given to anybody. */
export function formatPublic(name: string, publicKey: Uint8Array): string {
  const body = Buffer.concat([Buffer.from([ED25519]), publicKey]).toString('base64');
  return `${name}+${keyIdOf(name, publicKey)}+${body}`;
}

/** `PRIVATE+KEY+name+keyid+base64(01 ‖ seed)`: what nobody else may have. */
export function formatSecret(name: string, keyid: string, seed: Uint8Array): string {
  const body = Buffer.concat([Buffer.from([ED25519]), seed]).toString('base64');
  return `${SECRET}${name}+${keyid}+${body}`;
}

/** @throws GroundsError `keys/malformed` */
export function parsePublic(text: string): PublicParts {
  const { name, keyid, body } = parts(text, 'public');
  if (keyid !== keyIdOf(name, body)) throw malformed('public', 'its id is not that of its name and key');
  return { name, keyid, publicKey: body };
}

/** @throws GroundsError `keys/malformed`; no part of the text stands in it. */
export function parseSecret(text: string): SecretParts {
  if (!text.startsWith(SECRET)) throw malformed('secret', `it does not begin with ${SECRET}`);
  const { name, keyid, body } = parts(text.slice(SECRET.length), 'secret');
  return { name, keyid, seed: body };
}

/** A name stands in signature lines: not empty, no space, no plus. A host and a path is usual. */
export function requireName(name: string): void {
  const problem =
    name === ''
      ? 'it is empty'
      : /[\s\p{White_Space}]/u.test(name)
        ? 'it holds a space'
        : name.includes('+')
          ? 'it holds a plus'
          : /[\0-\x1f\x7f]/.test(name) || !wellFormed(name)
            ? 'it holds what can not be printed'
            : name.length > 128
              ? 'it is longer than 128 characters'
              : null;
  if (problem === null) return;
  throw new GroundsError('keys/name', `This can not be the name of a key: ${problem}.`, {
    facts: { name },
    hint: 'Give a name without spaces or plus signs, for example bank.example/executor.',
  });
}

function parts(text: string, kind: 'public' | 'secret'): { name: string; keyid: string; body: Buffer } {
  const [, name, keyid, base64] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? [];
  if (name === undefined || keyid === undefined || base64 === undefined)
    throw malformed(kind, 'it is not name+id+base64');
  try {
    requireName(name);
  } catch {
    throw malformed(kind, 'its name can not be one');
  }
  const bytes = Buffer.from(base64, 'base64');
  // Node skips what is not base64: only the one true form counts.
  if (bytes.toString('base64') !== base64) throw malformed(kind, 'its base64 is not canonical');
  if (bytes.length !== 33) throw malformed(kind, 'it is not 32 bytes long');
  if (bytes[0] !== ED25519) throw malformed(kind, 'it is not an Ed25519 key');
  return { name, keyid, body: bytes.subarray(1) };
}

function wellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}

function malformed(kind: 'public' | 'secret', why: string): GroundsError {
  return new GroundsError('keys/malformed', `This is no ${kind} key: ${why}.`, {
    facts: { kind },
    hint:
      kind === 'public'
        ? 'A public key reads name+id+base64, as grounds keys show prints it.'
        : 'Restore the file from a backup, or make another key under another name.',
  });
}
