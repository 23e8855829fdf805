import { verifySigned } from '../../executor/index.ts';
import { keyStore, keysFolder, type ListedKey } from '../../keys/index.ts';
import { findCall } from '../find-call.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { caughtUp, reading } from '../open-log.ts';
import { columns, printable } from '../text.ts';
import { whichLog } from '../which-log.ts';

export interface KeysOptions {
  readonly json?: boolean;
  readonly keys?: string;
}

export function make(io: Io, name: string, options: KeysOptions): void {
  const store = keyStore(keysFolder(options.keys));
  const made = store.make(name);
  if (options.json === true) io.out(`${jsonText(made)}\n`);
  else io.out(`${made.public}\n`);
  io.err(
    `grounds: The secret key ${made.id} stands in ${printable(store.folder)}, readable by its owner alone. Keep a copy of it, apart from the log.\n`,
  );
}

export function list(io: Io, options: KeysOptions): void {
  const store = keyStore(keysFolder(options.keys));
  const keys = store.list();
  if (options.json === true) for (const key of keys) io.out(`${jsonText(key)}\n`);
  else if (keys.length === 0) io.out(`No keys in ${printable(store.folder)}.\n`);
  else for (const line of columns(keys.map(cells))) io.out(`${line}\n`);
}

/** Of a key, what everybody may have. */
export function show(io: Io, name: string, options: KeysOptions): void {
  const { id, text } = keyStore(keysFolder(options.keys)).publicKey(name);
  if (options.json === true) io.out(`${jsonText({ name, id, public: text })}\n`);
  else io.out(`${text}\n`);
}

/**
 * Checks who signed what became of a call, with the public keys of the store.
 * @returns 0 where every end of it is signed validly by a known key; 4 where a signature does not hold; else 1
 */
export async function verify(
  io: Io,
  ref: string,
  last: string | undefined,
  options: KeysOptions & { readonly db?: string },
): Promise<0 | 1 | 4> {
  const keys = keyStore(keysFolder(options.keys)).publicKeys();
  return reading(whichLog(last, options.db), (log) => {
    const { row } = findCall(caughtUp(io, log), ref, log);
    const checks = verifySigned(log, row.call_id, keys);
    if (options.json === true) for (const check of checks) io.out(`${jsonText(check)}\n`);
    else if (checks.length === 0) io.out('No start of this call has an end that could be signed.\n');
    else {
      const rows = checks.map(({ start, outcome, status, key }) => [start, outcome, SAYS[status], key ?? '']);
      for (const line of columns(rows)) io.out(`${printable(line)}\n`);
    }
    if (checks.some(({ status }) => status === 'bad_signature')) return 4;
    return checks.length > 0 && checks.every(({ status }) => status === 'valid') ? 0 : 1;
  });
}

const SAYS = {
  valid: 'signed, and the log holds what was signed',
  bad_signature: 'SIGNED OTHERWISE: the log does not hold what was signed',
  unknown_key: 'signed by a key that is not in the store',
  unsigned: 'not signed',
} as const;

function cells({ name, id, secret, public: text }: ListedKey): string[] {
  return [printable(name), id, secret ? 'signs' : 'checks', text];
}
