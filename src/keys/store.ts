import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { GroundsError } from '../errors.ts';
import { type PublicKey, publicBytesOf, publicKeyOf, type Signer, signerOf } from './ed25519.ts';
import { formatPublic, formatSecret, keyIdOf, requireName } from './format.ts';

/** A key as the store lists it. */
export interface ListedKey {
  readonly name: string;
  readonly id: string;
  readonly public: string;
  /** The store can sign with it; else it only checks what somebody else signed. */
  readonly secret: boolean;
}

/**
 * Keys as files in one folder: `<name>.skey` holds a secret key and is for its owner alone (0600), `<name>.vkey` the public
 * one. A public key of somebody else is put there by copying its file.
 */
export interface KeyStore {
  readonly folder: string;
  /** @throws GroundsError `keys/name`, `keys/exists`, `keys/folder` */
  make(name: string): ListedKey;
  /** By name. */
  list(): readonly ListedKey[];
  /** @throws GroundsError `keys/missing`, `keys/malformed` */
  publicKey(name: string): PublicKey;
  publicKeys(): readonly PublicKey[];
  /** @throws GroundsError `keys/missing`, `keys/malformed`, `keys/permissions` where others may read or write the file */
  signer(name: string): Signer;
}

const SECRET = '.skey';
const PUBLIC = '.vkey';

/**
 * The folder that is meant: the one given, else GROUNDS_KEYS, else one of the user's own. It is not beside the log: whoever
 * copies or rewrites the log would have the keys with it.
 */
export function keysFolder(
  given: string | undefined,
  env: { readonly [name: string]: string | undefined } = process.env,
): string {
  if (given !== undefined) return given;
  if ((env.GROUNDS_KEYS ?? '') !== '') return env.GROUNDS_KEYS as string;
  const config =
    (env.XDG_CONFIG_HOME ?? '') === '' ? join(homedir(), '.config') : (env.XDG_CONFIG_HOME as string);
  return join(config, 'grounds', 'keys');
}

export function keyStore(folder: string): KeyStore {
  const file = (name: string, kind: string): string => join(folder, `${encodeURIComponent(name)}${kind}`);
  const publicKey = (name: string): PublicKey => {
    requireName(name);
    const text = read(file(name, PUBLIC), name, folder);
    return named(publicKeyOf(text), name, folder);
  };
  const names = (): string[] => namesIn(folder, PUBLIC).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

  return {
    folder,
    make(name) {
      requireName(name);
      makeFolder(folder);
      const seed = randomBytes(32);
      const bytes = publicBytesOf(seed);
      const keyid = keyIdOf(name, bytes);
      write(file(name, SECRET), formatSecret(name, keyid, seed), 0o600, name, folder);
      const text = formatPublic(name, bytes);
      write(file(name, PUBLIC), text, 0o644, name, folder);
      return { name, id: `${name}+${keyid}`, public: text, secret: true };
    },
    list() {
      const own = new Set(namesIn(folder, SECRET));
      return names().map((name) => {
        const { id, text } = publicKey(name);
        return { name, id, public: text, secret: own.has(name) };
      });
    },
    publicKey,
    publicKeys: () => names().map(publicKey),
    signer(name) {
      requireName(name);
      return named(signerOf(read(file(name, SECRET), name, folder, true)), name, folder);
    },
  };
}

function namesIn(folder: string, kind: string): string[] {
  let files: string[];
  try {
    files = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw unusable(folder, error);
  }
  return files.filter((each) => each.endsWith(kind)).map((each) => decoded(each.slice(0, -kind.length)));
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusable(folder, error);
  }
}

/** Never over a file that is there: a key that is lost can't be had again. Durable before anybody signs with it. */
function write(file: string, text: string, mode: number, name: string, folder: string): void {
  let open: number;
  try {
    open = openSync(file, 'wx', mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw new GroundsError('keys/exists', `There is a key ${name} already.`, {
        facts: { name, folder },
        hint: 'Give another name; a key is never replaced, since what it signed would no longer check.',
      });
    }
    throw unusable(folder, error);
  }
  try {
    writeSync(open, `${text}\n`);
    fsyncSync(open);
  } finally {
    closeSync(open);
  }
}

function read(file: string, name: string, folder: string, secret = false): string {
  let open: number;
  try {
    open = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(folder, error);
    throw new GroundsError('keys/missing', `There is no ${secret ? 'secret key' : 'key'} ${name}.`, {
      facts: { name, folder },
      hint: 'grounds keys list shows those that there are; grounds keys make makes one.',
    });
  }
  try {
    if (secret) requireOwn(fstatSync(open).mode, name, file);
    return readFileSync(open, 'utf8').replace(/\n$/, '');
  } finally {
    closeSync(open);
  }
}

/** Of the open file, so that it can't be another one by now. Windows has no such bits. */
function requireOwn(mode: number, name: string, file: string): void {
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  throw new GroundsError('keys/permissions', `Others than its owner may use the secret key ${name}.`, {
    facts: { name, file, mode: (mode & 0o777).toString(8) },
    hint: 'If nobody has read it, chmod 600 the file; otherwise make another key.',
  });
}

/** A file under another key's name would sign as somebody else. */
function named<T extends { readonly name: string }>(key: T, name: string, folder: string): T {
  if (key.name === name) return key;
  throw new GroundsError('keys/malformed', `The file of the key ${name} holds the key ${key.name}.`, {
    facts: { name, holds: key.name, folder },
    hint: 'Name the file after its key.',
  });
}

function unusable(folder: string, cause: unknown): GroundsError {
  return new GroundsError('keys/folder', 'The folder of the keys can not be used.', {
    facts: { folder, cause: (cause as NodeJS.ErrnoException).code ?? 'unknown' },
    hint: 'Name a folder that may be read and written with --keys or GROUNDS_KEYS.',
    cause,
  });
}
