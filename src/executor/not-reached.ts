import { GroundsError } from '../errors.ts';

const CODE = 'tool/not-reached';

/**
 * Thrown by a caller that knows that nothing happened: the connection was refused, the program was not found. Any other error
 * leaves the outcome unknown, since a throw alone doesn't say that the tool did nothing.
 *
 * @example
 * throw new NotReached('No connection to the bank.', { cause: error });
 */
export class NotReached extends GroundsError {
  constructor(message: string, options: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super(CODE, message, {
      hint: options.hint ?? 'Nothing was done: judge the call again once the tool can be reached.',
      ...(options.cause === undefined ? {} : { cause: options.cause }),
    });
  }
}

/** By its code, which survives duplicate copies of this package. */
export function isNotReached(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === CODE;
}
