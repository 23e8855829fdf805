import type { z } from 'zod';
import { encode } from '../events/canonical.ts';
import type { Json } from '../events/json.ts';
import { otherShape } from './other-shape.ts';

/** Why a hook gave nothing usable. These stand in the log; what it threw never does. */
export type HookFault = 'hook/threw' | 'hook/timed_out' | 'hook/out_of_contract' | 'hook/missing';

export type HookAnswer<T> =
  | { readonly said: 'answer'; readonly value: T }
  /** It returned `undefined`: it looked, and there is nothing. */
  | { readonly said: 'absent' }
  | { readonly said: 'failed'; readonly code: HookFault };

/** What a hook failed with: `error` is what it threw; of an answer out of contract why it is, else null. */
export interface HookFailure {
  /** Its name; of a measuring hook `measure.<name>`. */
  readonly hook: string;
  readonly code: HookFault;
  readonly error: unknown;
}

export type OnHookError = (failure: HookFailure) => void;

/** Tells of a failure. Whatever the one who is told does, throws or rejects, it changes nothing. */
export function tellFailure(onHookError: OnHookError | undefined, failure: HookFailure): void {
  if (onHookError === undefined) return;
  new Promise<unknown>((resolve) => {
    resolve(onHookError(Object.freeze(failure)));
  }).catch(() => {});
}

/** Whom to tell of a hook by this name, and how long it may take. */
export interface HookCall {
  readonly name: string;
  /** In milliseconds. */
  readonly deadline: number;
  readonly onHookError?: OnHookError | undefined;
}

/** How long a hook may take, in milliseconds. */
export const DEADLINE = 30_000;

/** An answer longer than this, in characters of its JSON, is no answer. */
export const LONGEST_ANSWER = 4_000_000;

const TIMED_OUT = Symbol('timed out');

/**
 * Calls one hook and takes from it only plain JSON of the agreed shape. Never throws and never waits past the deadline: then
 * the signal is aborted, and whatever still comes changes nothing.
 *
 * @param contract what the answer must be, once copied as JSON
 * @param of its name, its deadline, and who is told of a failure
 */
export async function callHook<C, T>(
  hook: (ctx: C & { readonly signal: AbortSignal }) => unknown,
  ctx: C,
  contract: z.ZodType<T>,
  { name, deadline, onHookError }: HookCall,
): Promise<HookAnswer<T>> {
  const failed = (code: HookFault, error: unknown): HookAnswer<T> => {
    tellFailure(onHookError, { hook: name, code, error });
    return { said: 'failed', code };
  };
  const abort = new AbortController();
  const began = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const late = new Promise<typeof TIMED_OUT>((resolve) => {
      timer = setTimeout(() => resolve(TIMED_OUT), deadline);
    });
    // A throw, a rejection and a thenable that throws while it is asked all end in this promise.
    const answer = new Promise<unknown>((resolve) => {
      resolve(hook(Object.freeze({ ...ctx, signal: abort.signal })));
    });
    const first = await Promise.race([answer, late]);
    // A hook that blocked the thread past its deadline came late too, though no timer could say so.
    if (first !== TIMED_OUT && performance.now() - began <= deadline) {
      const answered = read(first, contract, name);
      return 'wrong' in answered ? failed('hook/out_of_contract', answered.wrong) : answered;
    }
    abort.abort();
    return failed('hook/timed_out', null);
  } catch (error) {
    return failed('hook/threw', error);
  } finally {
    clearTimeout(timer);
  }
}

function read<T>(
  answer: unknown,
  contract: z.ZodType<T>,
  name: string,
): HookAnswer<T> | { readonly wrong: unknown } {
  if (answer === undefined) return { said: 'absent' };
  const copy = jsonCopy(answer);
  if ('wrong' in copy) return copy;
  const parsed = contract.safeParse(copy.json);
  return parsed.success ? { said: 'answer', value: parsed.data } : { wrong: otherShape(name, parsed.error) };
}

/** A plain copy, or why there is none: it is not JSON, or too much of it. A member of the answer itself may be `undefined`. */
function jsonCopy(answer: unknown): { readonly json: Json } | { readonly wrong: unknown } {
  try {
    const text = encode(withoutUndefined(answer));
    if (text.length <= LONGEST_ANSWER) return { json: JSON.parse(text) as Json };
    return {
      wrong: new RangeError(`An answer of ${text.length} characters is longer than ${LONGEST_ANSWER}.`),
    };
  } catch (wrong) {
    return { wrong };
  }
}

/** `{ approved: true, reason: undefined }` says no less than `{ approved: true }`. */
function withoutUndefined(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer;
  const members = Object.getOwnPropertyDescriptors(answer);
  if (!Object.values(members).some((member) => 'value' in member && member.value === undefined))
    return answer;
  return Object.create(
    Object.getPrototypeOf(answer),
    Object.fromEntries(
      Object.entries(members).filter(([, member]) => !('value' in member) || member.value !== undefined),
    ),
  );
}
