import type { LoadedChecklist } from '../../src/declarations/load.ts';
import type { ToolDeclaration } from '../../src/declarations/tool.ts';
import type { Json } from '../../src/events/json.ts';
import type { Segment } from '../../src/events/segment.ts';
import { GATE_DIGEST } from '../../src/gate-digest.ts';
import { openMemoryLog, type SyncLog } from '../../src/log/index.ts';
import type { Around } from '../../src/preflight/around.ts';
import { NO_HOOKS, type World } from '../../src/preflight/world.ts';
import { bank } from '../checklists.ts';
import { RECORDED_ON } from '../replay/recorded.ts';

/** The live half over a log of its own, with ids and times that come out the same each time. */
export function live(
  more: {
    readonly log?: SyncLog;
    readonly checklists?: readonly LoadedChecklist[];
    readonly world?: World;
    readonly clock?: () => string;
    readonly newId?: () => string;
  } = {},
): Around {
  let ids = 0;
  const checklists = more.checklists ?? [bank()];
  return {
    log: more.log ?? openMemoryLog(),
    declared: {
      checklists: checklists.map(({ digest, checklist }) => ({ digest, body: checklist })),
      unsound: [],
      tools: new Map(),
      gate: GATE_DIGEST,
      ruleset: 'standard',
    },
    world: more.world ?? NO_HOOKS,
    clock: more.clock ?? (() => '2026-03-02T11:00:00.000Z'),
    newId: more.newId ?? (() => `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`),
    environment: RECORDED_ON,
  };
}

export const TRANSFER: ToolDeclaration = {
  server: 'bank',
  name: 'transfer',
  description: null,
  input_schema: {
    type: 'object',
    required: ['from_account', 'to_account', 'amount'],
    properties: {
      from_account: { type: 'string' },
      to_account: { type: 'string' },
      amount: { type: 'number' },
      note: { type: 'string' },
      urgency: { type: 'string', enum: ['normal', 'express'] },
    },
    additionalProperties: false,
  },
  annotations: null,
};

export function typed(text: string, at: string | null = null): Segment {
  return { at, author: 'user', typed: true, origin: null, body: { plain: text }, observes: null };
}

export function said(text: string): Segment {
  return { at: null, author: 'agent', typed: false, origin: null, body: { plain: text }, observes: null };
}

export function result(
  tool: string,
  args: Readonly<Record<string, Json>>,
  body: Json,
  author: 'tool' | 'hook' = 'tool',
): Segment {
  return {
    at: null,
    author,
    typed: false,
    origin: null,
    body: { plain: body },
    observes: { tool, arguments: { plain: args }, failed: false, fault: null },
  };
}
