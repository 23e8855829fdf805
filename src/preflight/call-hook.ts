import type { z } from 'zod';
import { encode } from '../events/canonical.ts';
import type { Json } from '../events/json.ts';

/** Why a hook gave nothing usable. These stand in the log; what it threw never does. */
export type HookFault = 'hook/threw' | 'hook/timed_out' | 'hook/out_of_contract' | 'hook/missing';

export type HookAnswer<T> =
  | { readonly said: 'answer'; readonly value: T }
  /** It returned `undefined`: it looked, and there is nothing. */
  | { readonly said: 'absent' }
  | { readonly said: 'failed'; readonly code: HookFault };

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
 * @param deadline in milliseconds
 */
export async function callHook<C, T>(
  hook: (ctx: C & { readonly signal: AbortSignal }) => unknown,
  ctx: C,
  contract: z.ZodType<T>,
  deadline: number,
): Promise<HookAnswer<T>> {
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
    if (first !== TIMED_OUT && performance.now() - began <= deadline) return read(first, contract);
    abort.abort();
    return { said: 'failed', code: 'hook/timed_out' };
  } catch {
    return { said: 'failed', code: 'hook/threw' };
  } finally {
    clearTimeout(timer);
  }
}

function read<T>(answer: unknown, contract: z.ZodType<T>): HookAnswer<T> {
  if (answer === undefined) return { said: 'absent' };
  const copy = jsonCopy(answer);
  if (copy === undefined) return { said: 'failed', code: 'hook/out_of_contract' };
  const parsed = contract.safeParse(copy);
  return parsed.success
    ? { said: 'answer', value: parsed.data }
    : { said: 'failed', code: 'hook/out_of_contract' };
}

/** A plain copy; undefined where it is not JSON, or too much of it. A member of the answer itself may be `undefined`. */
function jsonCopy(answer: unknown): Json | undefined {
  try {
    const text = encode(withoutUndefined(answer));
    return text.length > LONGEST_ANSWER ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
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
