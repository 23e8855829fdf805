import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { keyStore, keysFolder, parsePublic, publicKeyOf, signerOf } from '../../src/keys/index.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'grounds-keys-'));
  folders.push(made);
  return join(made, 'keys');
}

// The example of golang.org/x/mod/sumdb/note.
const VKEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const SKEY = 'PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz';
const TEXT = Buffer.from(
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
);
const SIGNED = 'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=';

describe('a key', () => {
  it('of the published vectors signs and checks what they say', () => {
    const signature = Buffer.from(SIGNED, 'base64');
    expect(signature.subarray(0, 4).toString('hex')).toBe('c74f20a3');
    const signer = signerOf(SKEY);
    expect(signer.sign(TEXT)).toEqual(signature.subarray(4));
    expect(signer.public.text).toBe(VKEY);
    expect(signer.id).toBe('PeterNeumann+c74f20a3');
    expect(publicKeyOf(VKEY).verify(TEXT, signature.subarray(4))).toBe(true);
    expect(publicKeyOf(VKEY).verify(Buffer.concat([TEXT, TEXT]), signature.subarray(4))).toBe(false);
  });

  it.each([
    ['a wrong length', 'PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY=='],
    ['another algorithm', 'PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'],
    ['no parts', 'PeterNeumann'],
    ['nothing', ''],
    ['another name', VKEY.replace('PeterNeumann', 'PeterNewmann')],
    ['a space at its end', `${VKEY} `],
    ['a line end', `${VKEY}\n`],
    ['base64 with junk inside', VKEY.replace('Rpc', 'R\npc')],
  ])('with %s is refused', (_, text) => {
    expect(() => parsePublic(text)).toThrow(expect.objectContaining({ code: 'keys/malformed' }));
  });

  it('is refused in every beginning of it, and with any one character changed', () => {
    for (const [text, read] of [
      [VKEY, publicKeyOf],
      [SKEY, signerOf],
    ] as const) {
      for (let n = 0; n < text.length; n++) {
        expect(() => read(text.slice(0, n))).toThrow();
        const other = text[n] === 'B' ? 'C' : 'B';
        expect(() => read(text.slice(0, n) + other + text.slice(n + 1))).toThrow();
      }
    }
  });

  it('that is secret stands in no error', () => {
    for (const text of [SKEY.slice(0, -1), `${SKEY}=`, SKEY.replace('c74f20a3', 'c74f20a4')]) {
      let told = '';
      try {
        signerOf(text);
      } catch (error) {
        told = JSON.stringify({ ...(error as object), message: (error as Error).message });
      }
      expect(told).toContain('keys/malformed');
      expect(told).not.toContain('EKFALV');
    }
  });
});

describe('a store', () => {
  it('makes keys for their owner alone, lists and shows them, and never replaces one', () => {
    const store = keyStore(folder());
    const made = store.make('bank.example/executor');
    store.make('another');
    expect(readdirSync(store.folder).sort()).toEqual([
      'another.skey',
      'another.vkey',
      'bank.example%2Fexecutor.skey',
      'bank.example%2Fexecutor.vkey',
    ]);
    expect(statSync(store.folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(store.folder, 'another.skey')).mode & 0o777).toBe(0o600);
    expect(store.list().map(({ name, secret }) => [name, secret])).toEqual([
      ['another', true],
      ['bank.example/executor', true],
    ]);
    expect(() => store.make('another')).toThrow(expect.objectContaining({ code: 'keys/exists' }));
    const signer = store.signer('bank.example/executor');
    expect(signer.public.text).toBe(made.public);
    const bytes = Buffer.from('said');
    expect(store.publicKey('bank.example/executor').verify(bytes, signer.sign(bytes))).toBe(true);
    expect(JSON.stringify(store.list())).not.toContain('PRIVATE');
  });

  it('refuses a secret key that others may read or write, and a file with another key in it', () => {
    const store = keyStore(folder());
    store.make('mine');
    const file = join(store.folder, 'mine.skey');
    for (const mode of [0o640, 0o604, 0o620, 0o666]) {
      chmodSync(file, mode);
      expect(() => store.signer('mine')).toThrow(expect.objectContaining({ code: 'keys/permissions' }));
    }
    chmodSync(file, 0o600);
    expect(store.signer('mine').name).toBe('mine');
    writeFileSync(join(store.folder, 'yours.skey'), readFileSync(file), { mode: 0o600 });
    expect(() => store.signer('yours')).toThrow(expect.objectContaining({ code: 'keys/malformed' }));
  });

  it('holds public keys of others, and says what it lacks', () => {
    const store = keyStore(folder());
    expect(store.list()).toEqual([]);
    expect(() => store.signer('mine')).toThrow(expect.objectContaining({ code: 'keys/missing' }));
    store.make('mine');
    writeFileSync(join(store.folder, 'PeterNeumann.vkey'), `${VKEY}\n`);
    expect(store.list().map(({ name, secret }) => [name, secret])).toEqual([
      ['PeterNeumann', false],
      ['mine', true],
    ]);
    expect(() => store.signer('PeterNeumann')).toThrow(expect.objectContaining({ code: 'keys/missing' }));
  });

  it.each(['', 'a b', 'a+b', 'a\u00a0b', 'a\nb', 'x'.repeat(129)])('takes no name %j', (name) => {
    expect(() => keyStore(folder()).make(name)).toThrow(expect.objectContaining({ code: 'keys/name' }));
  });

  it('is where it is said to be, else where the environment says, else the user’s own', () => {
    expect(keysFolder('here', { GROUNDS_KEYS: 'there' })).toBe('here');
    expect(keysFolder(undefined, { GROUNDS_KEYS: 'there' })).toBe('there');
    expect(keysFolder(undefined, { XDG_CONFIG_HOME: '/c' })).toBe(join('/c', 'grounds', 'keys'));
    expect(keysFolder(undefined, {})).toMatch(/grounds.keys$/);
  });
});
