import type { Json } from '../../src/events/json.ts';
import type { ToolDeclaration } from '../../src/events/tool.ts';
import { type ExecutorOptions, NotReached } from '../../src/executor/index.ts';
import type { SyncLog } from '../../src/log/index.ts';

/** What was done to the world: nobody takes it back. */
export interface Effect {
  readonly tool: ToolDeclaration;
  readonly args: Json;
  readonly key: string;
  readonly run: string;
  readonly call: string;
  /** The executor that did it. */
  readonly by: string;
  /** How many events the log held at that moment. */
  readonly size: number;
}

export const ENDS = [
  'succeeds',
  'fails',
  'throws',
  'never reached',
  'hangs',
  'bad answer',
  'no json',
  'meddles',
] as const;
export type End = (typeof ENDS)[number];

/** The tools themselves: each call that reaches them is noted before anything else, and ends as `endOf` says. */
export function toolsOf(
  log: SyncLog,
  effects: Effect[],
  by: string,
  endOf: () => End,
): ExecutorOptions['call'] {
  return async (tool, args, { idempotencyKey, run, call, signal }) => {
    const end = endOf();
    if (end === 'never reached') throw new NotReached('no connection');
    effects.push({
      tool: structuredClone(tool),
      args: structuredClone(args),
      key: idempotencyKey,
      run,
      call,
      by,
      size: log.sizeSync(),
    });
    await Promise.resolve();
    switch (end) {
      case 'fails':
        return { result: { refused: true }, failed: true, code: 'tool/refused' };
      case 'throws':
        throw new Error('hung up');
      case 'hangs':
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ result: 'too late', failed: false }));
        });
      case 'bad answer':
        return 'done' as never;
      case 'no json':
        return { result: { at: 10n } as never, failed: false };
      case 'meddles':
        if (typeof args === 'object' && args !== null) Object.assign(args, { amount: 1_000_000 });
        return { result: args, failed: false };
      case 'succeeds':
        return { result: { done: effects.length }, failed: false };
    }
  };
}
