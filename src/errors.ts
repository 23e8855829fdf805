/** Exit codes of every command: 2 usage or bad input, 3 not replayable, 4 integrity broken, 5 self-test failed. */
export type ExitCode = 2 | 3 | 4 | 5;

/**
 * An error that a user can act on: a stable code, the facts, what to do next. Recognise it by `isGroundsError`, which
 * survives duplicate copies of this package.
 */
export class GroundsError extends Error {
  readonly code: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly hint: string;
  readonly exit: ExitCode;

  constructor(
    code: string,
    message: string,
    options: { facts?: Record<string, unknown>; hint: string; exit?: ExitCode; cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'GroundsError';
    this.code = code;
    this.facts = options.facts ?? {};
    this.hint = options.hint;
    this.exit = options.exit ?? 2;
  }
}

export function isGroundsError(error: unknown): error is GroundsError {
  return (
    error instanceof Error &&
    typeof (error as { code?: unknown }).code === 'string' &&
    'hint' in error &&
    'exit' in error
  );
}
