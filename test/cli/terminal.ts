import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';

export interface Shown {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  /** stdout as JSON lines. */
  readonly lines: () => Record<string, unknown>[];
}

export interface Terminal {
  readonly width?: number;
  /** Chunks of bytes, one character each byte where `latin1`. */
  readonly stdin?: readonly string[];
  readonly latin1?: boolean;
  /** stdout and stderr are terminals. */
  readonly terminal?: boolean;
}

/** Runs a command line in this process, with a terminal of paper. */
export async function grounds(
  argv: readonly string[],
  { width = 100, stdin = [], latin1 = false, terminal = false }: Terminal = {},
): Promise<Shown> {
  let out = '';
  let err = '';
  const io: Io = {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    width,
    terminal,
    color: false,
    progress: terminal,
    closed: () => false,
    stdin: async function* () {
      for (const chunk of stdin) yield Buffer.from(chunk, latin1 ? 'latin1' : 'utf8');
    },
  };
  const exit = await run(argv, io);
  const lines = (): Record<string, unknown>[] =>
    out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { exit, out, err, lines };
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder of this test's own; `file` writes into it and gives the path. */
export function folder(): {
  readonly path: (name: string) => string;
  readonly file: (name: string, body: string | Uint8Array) => string;
} {
  const dir = mkdtempSync(join(tmpdir(), 'grounds-cli-'));
  folders.push(dir);
  const path = (name: string): string => join(dir, name);
  return {
    path,
    file: (name, body) => {
      writeFileSync(path(name), body);
      return path(name);
    },
  };
}
