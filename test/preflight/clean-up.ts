import { expect } from 'vitest';
import { createExecutor, type Executor } from '../../src/executor/index.ts';
import type { Preflight } from '../../src/preflight/create.ts';
import type { Hooks } from '../../src/preflight/hooks.ts';
import type { SkeletonInput } from '../../src/preflight/skeleton-input.ts';
import { replayed } from '../replay/recorded.ts';

/** "Clean up the folder invoices.", in the source documents' form, and hooks that find there what it says. */
export const WORDS = 'Clean up the folder invoices.';

export const CLEAN_UP: SkeletonInput = {
  userId: 'u_01',
  instruction: [{ text: WORDS, trust: 'user' }],
  mcpTool: {
    name: 'records.delete',
    description: null,
    inputSchema: {
      type: 'object',
      required: ['folder'],
      properties: { folder: { type: 'string' }, limit: { type: 'integer' } },
    },
  },
};

export const CLEAN_UP_HOOKS: Hooks = {
  classifyWhenCase: () => 'immediate',
  extractUserActionName: () => 'clean up',
  confirmToolNameMatchesIntent: () => ({ approved: true }),
  extractFromInstruction: ({ field }) =>
    field.name === 'folder' ? { value: 'invoices', segment_index: 0, span: [20, 28] } : undefined,
  measureFromEnvironment: () => undefined,
  buildActionKey: ({ userId }) => `${userId}:clean-up`,
};

export function replays({ log }: Preflight): void {
  const { summary } = replayed(log);
  expect(summary).toMatchObject({ diverged: 0, tampered: 0, missing_input: 0 });
  expect(summary.matched).toBe(summary.replayed);
}

/** An executor whose tool always does what it is asked. */
export function executorOn({ log }: Preflight): Executor {
  return createExecutor({ log, name: 'test/1', call: async () => ({ result: 'done', failed: false }) });
}
