import { randomId } from '../../src/events/random-id.ts';
import { openMemoryLog } from '../../src/log/index.ts';
import { createPreflight, type PreflightOptions } from '../../src/preflight/create.ts';
import type { Hooks } from '../../src/preflight/hooks.ts';
import { bank } from '../checklists.ts';
import { TRANSFER, typed } from './live.ts';

export const ARGUMENTS = { from_account: 'A-1', to_account: 'B-2', amount: 50 };
export const WORDS = 'Please move 50 from A-1 to B-2.';

const ACCOUNT = { account_id: 'A-1', owner_id: 'u1', balance: 900, available: 900, status: 'open' };

/** Hooks of a careful adopter: they answer from what they are given, and never invent. */
export const HOOKS: Hooks = {
  classifyWhenCase: () => 'immediate',
  extractUserActionName: () => 'move',
  confirmToolNameMatchesIntent: ({ user_action_name, mcpTool }) => ({
    approved: user_action_name === 'move' && mcpTool.name === 'transfer',
    reason: 'a move of money is a transfer',
  }),
  extractFromInstruction: ({ instruction, field, arguments: args }) => {
    const value = (args as Record<string, string | number> | null)?.[field.name];
    if (value === undefined) return undefined;
    const segment_index = instruction.findLastIndex(
      ({ text, trust }) => trust === 'user' && text.includes(String(value)),
    );
    const start = instruction[segment_index]?.text.indexOf(String(value)) ?? -1;
    return start < 0 ? undefined : { value, segment_index, span: [start, start + String(value).length] };
  },
  measureFromEnvironment: () => undefined,
  buildActionKey: ({ userId, user_action_name }) => `${userId}:${user_action_name}`,
  measure: {
    get_account: ({ settled }) => {
      const account_id = settled['/from_account'];
      return account_id === 'A-1' ? { valid: true, value: ACCOUNT } : undefined;
    },
  },
};

/** A preflight over a log of its own, with ids and times that come out the same each time. */
export function hooked(hooks: Partial<Hooks> = {}, more: Partial<PreflightOptions> = {}) {
  let ids = 0;
  return createPreflight({
    // Opaque ids are the same in every log here, so that logs can be compared.
    log: { ...openMemoryLog(), importKey: new Uint8Array(32).fill(7) },
    checklists: [bank()],
    clock: () => '2026-03-02T11:00:00.000Z',
    newId: () => `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`,
    ...more,
    hooks: { ...HOOKS, ...hooks },
  });
}

/** Judges one transfer, asked for in these words. */
export function transferred(
  preflight: ReturnType<typeof hooked>,
  args: Parameters<typeof preflight.judge>[0]['arguments'] = ARGUMENTS,
  words = WORDS,
  more: Partial<Parameters<typeof preflight.judge>[0]> = {},
) {
  return preflight.judge({
    conversation: randomId(),
    request: randomId(),
    call: randomId(),
    opens: true,
    tool: TRANSFER,
    arguments: args,
    segments: [typed(words)],
    user: 'u_01',
    ...more,
  });
}
