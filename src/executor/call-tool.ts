import { isGroundsError } from '../errors.ts';
import type { Uuid } from '../events/identity.ts';
import type { Json } from '../events/json.ts';
import type { ToolDeclaration } from '../events/tool.ts';
import { isNotReached } from './not-reached.ts';

/** What a tool answered: whether it failed is for the caller to tell, from `isError`, an exit code or a status. */
export interface Answer {
  readonly result: Json | string;
  readonly failed: boolean;
  /** Of a failure: a code such as `tool/exit-1`, never a message text. Default `tool/failed`. */
  readonly code?: string;
}

/** Beside the arguments. */
export interface CallContext {
  /** The id of the start: the same for nothing else, so that a tool can recognise a call that comes twice. */
  readonly idempotencyKey: Uuid;
  /** Aborted at the time limit, or when whoever asked gives up. The outcome is then unknown, whatever the caller does. */
  readonly signal: AbortSignal;
  readonly run: Uuid;
  readonly call: Uuid;
}

/**
 * Makes the real call, once. It answers, or throws: `NotReached` where it knows that nothing happened, and anything else
 * where it doesn't know.
 */
export type ToolCall = (tool: ToolDeclaration, args: Json, context: CallContext) => Promise<Answer> | Answer;

/** How a call came out. */
export type CameOut =
  | { readonly outcome: 'succeeded'; readonly result: unknown }
  | { readonly outcome: 'failed'; readonly code: string; readonly result: unknown }
  | { readonly outcome: 'not_reached'; readonly code: string }
  | { readonly outcome: 'unknown'; readonly code: string };

const CODE = /^[a-z][a-z0-9_/-]*$/;

/** Calls, waits at most `timeout` milliseconds, and never throws: whatever happens has to be recorded. */
export async function callTool(
  call: ToolCall,
  tool: ToolDeclaration,
  args: Json,
  context: Omit<CallContext, 'signal'>,
  limits: { readonly timeout: number; readonly signal: AbortSignal | undefined },
): Promise<CameOut> {
  const own = new AbortController();
  const { signal: outer, timeout } = limits;
  return new Promise((resolve) => {
    let over: (outcome: CameOut) => void = () => {};
    const timer = setTimeout(() => over({ outcome: 'unknown', code: 'tool/timeout' }), timeout);
    const aborted = (): void => over({ outcome: 'unknown', code: 'tool/aborted' });
    over = (outcome) => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', aborted);
      resolve(outcome);
      // After a limit there is nobody left to hear the answer; before, there is nothing left to abort.
      if (outcome.outcome === 'unknown') own.abort();
    };
    if (outer?.aborted === true) return over({ outcome: 'not_reached', code: 'tool/not-reached' });
    outer?.addEventListener('abort', aborted, { once: true });
    // The caller gets a tool and arguments of its own: what it does to them must not change what is recorded, nor what is sent later.
    Promise.resolve()
      .then(() => call(structuredClone(tool), structuredClone(args), { ...context, signal: own.signal }))
      .then((answer) => over(answered(answer)))
      .catch((error: unknown) => over(thrown(error)));
  });
}

function answered(answer: unknown): CameOut {
  if (typeof answer !== 'object' || answer === null) return { outcome: 'unknown', code: 'tool/bad-answer' };
  const { result, failed, code } = answer as Partial<Answer>;
  if (typeof failed !== 'boolean') return { outcome: 'unknown', code: 'tool/bad-answer' };
  if (!failed) return { outcome: 'succeeded', result };
  return {
    outcome: 'failed',
    result,
    code: typeof code === 'string' && CODE.test(code) ? code : 'tool/failed',
  };
}

/** A throw does not say that nothing happened: only a caller that declares so is believed. */
function thrown(error: unknown): CameOut {
  if (isNotReached(error)) return { outcome: 'not_reached', code: 'tool/not-reached' };
  const code =
    isGroundsError(error) && error.code.startsWith('tool/') && CODE.test(error.code) ? error.code : null;
  return { outcome: 'unknown', code: code ?? 'tool/threw' };
}
