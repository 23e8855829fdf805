/** What a command may touch of the terminal, so that tests can stand in for it. */
export interface Io {
  /** To stdout: whole lines. After the reader has gone away, nothing. */
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Columns to fit text into. */
  readonly width: number;
  /** stdout is a terminal: lines are cut to its width. Elsewhere nothing is lost. */
  readonly terminal: boolean;
  readonly color: boolean;
  /** stderr is a terminal that a line of progress may be written on. */
  readonly progress: boolean;
  /** Whoever reads stdout has gone away: a command that only prints may stop. */
  readonly closed: () => boolean;
  readonly stdin: () => AsyncIterable<Uint8Array>;
}

/** Text that is no terminal's has no columns; most pagers and logs show so many. */
const DEFAULT_WIDTH = 100;
const NARROWEST = 40;

export function processIo(): Io {
  let closed = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    closed = true;
    if (error.code === 'EPIPE') return;
    process.stderr.write(
      `grounds: The output could not be written (${error.code ?? 'unknown'}). Free some space, or write it elsewhere. [cli/output]\n`,
    );
    process.exitCode = 2;
  });
  process.stderr.on('error', () => {});
  const { env } = process;
  const asked = Number(env.COLUMNS);
  const columns = process.stdout.columns ?? (Number.isInteger(asked) && asked > 0 ? asked : DEFAULT_WIDTH);
  return {
    out: (text) => {
      if (!closed) process.stdout.write(text);
    },
    err: (text) => {
      process.stderr.write(text);
    },
    width: Math.max(columns, NARROWEST),
    terminal: process.stdout.isTTY === true,
    color: colorWanted(env, process.stdout.isTTY === true),
    progress: process.stderr.isTTY === true && env.TERM !== 'dumb',
    closed: () => closed,
    stdin: () => process.stdin,
  };
}

/** https://no-color.org: set and not empty means none, whatever else is set. */
function colorWanted(env: NodeJS.ProcessEnv, terminal: boolean): boolean {
  if ((env.NO_COLOR ?? '') !== '') return false;
  if ((env.FORCE_COLOR ?? '') !== '' && env.FORCE_COLOR !== '0') return true;
  return terminal && env.TERM !== 'dumb';
}
