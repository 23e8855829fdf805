import { GroundsError, isGroundsError } from '../errors.ts';
import type { Io } from './io.ts';
import { jsonText } from './json-text.ts';
import { printable, wrapped } from './text.ts';

/** How errors are to be told: `json` as one object on stderr, `stack` with where in the program they arose. */
export interface ErrorOptions {
  readonly json: boolean;
  readonly stack: boolean;
}

/** An error that is none of ours: a mistake of this program, never of its input. */
const INTERNAL_EXIT = 5;

/**
 * Tells an error as one short paragraph: what was wrong, where, what to do, and its code.
 * @returns the exit code
 */
export function reportError(raw: unknown, io: Io, options: ErrorOptions): number {
  const error = isGroundsError(raw) ? raw : null;
  const exit = error === null ? INTERNAL_EXIT : error.exit;
  const told = error ?? internal(raw);
  if (options.json) {
    const { code, message, facts, hint } = told;
    const stack = options.stack ? { stack: stackOf(raw) } : {};
    io.err(`${jsonText({ error: { code, message, facts, hint, exit, ...stack } })}\n`);
    return exit;
  }
  io.err(`${paragraph(told, io.width)}\n`);
  if (options.stack) io.err(`${printable(stackOf(raw))}\n`);
  return exit;
}

/** The text of one error. A message of several lines (a list of problems) keeps them. */
export function paragraph(error: Told, width: number): string {
  const facts = telling(error);
  const tail = `${facts === '' ? '' : `(${facts}) `}${error.hint} [${error.code}]`;
  if (error.message.includes('\n')) {
    return `grounds: ${printable(error.message)}\n\n${wrapped(printable(tail), width)}`;
  }
  return wrapped(printable(`grounds: ${error.message} ${tail}`), width);
}

interface Told {
  readonly code: string;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly hint: string;
}

/** Facts that the message does not tell already: names and numbers, no lists. */
function telling({ facts, message }: Told): string {
  return Object.entries(facts)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]): [string, string] => [name, cut(String(value))])
    .filter(([, value]) => value !== '' && !message.includes(value))
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}

function internal(raw: unknown): Told {
  const said = raw instanceof Error ? `${raw.name}: ${raw.message}` : String(raw);
  return {
    code: 'cli/internal',
    message: `Internal error: ${cut(said)}.`,
    facts: {},
    hint: 'This is a mistake in grounds, not in what it was given: the log holds only whole commits. Run it again with --stack, and report what it shows.',
  };
}

function stackOf(raw: unknown): string {
  return raw instanceof Error ? (raw.stack ?? String(raw)) : String(raw);
}

/** Wrong use of a command: exit 2. */
export function usage(message: string, hint: string, facts: Record<string, unknown> = {}): GroundsError {
  return new GroundsError('cli/usage', message, { hint, facts });
}
