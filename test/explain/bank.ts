import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunReplay } from '../../replay/report.ts';
import { importerOf } from '../../src/audit/import.ts';
import { parseChecklist } from '../../src/declarations/load.ts';
import type { ToolDeclaration } from '../../src/declarations/tool.ts';
import { openMemoryLog, type SyncLog } from '../../src/log/index.ts';
import type { CallPlace, CallRow } from '../../src/projections/call-row.ts';
import { readTranscripts } from '../../src/transcripts/index.ts';
import { bank } from '../checklists.ts';
import { foldCall } from './fold.ts';

const LIMITS_YAML = `grounds: 1
checklist: user/limits
declared_by: user
tools:
  transfer:
    conditions:
      limit: { require: args.amount <= 300, says: Never more than 300 at a time. }
`;

const payment = {
  type: 'object',
  properties: { payee_id: { type: 'string' }, amount: { type: 'number' } },
  required: ['payee_id', 'amount'],
};

function tool(name: string, properties: Record<string, unknown>, required: string[]): ToolDeclaration {
  const schema = { type: 'object', properties, required, additionalProperties: false };
  return { server: 'bank', name, description: null, input_schema: schema as never, annotations: null };
}

const text = { type: 'string' };
const TOOLS = [
  tool(
    'transfer',
    { from_account: text, to_account: text, amount: { type: 'number' }, urgency: text, reference: text },
    ['from_account', 'to_account', 'amount'],
  ),
  tool('pay_batch', { from_account: text, payments: { type: 'array', items: payment } }, [
    'from_account',
    'payments',
  ]),
  tool('get_account', { account_id: text }, ['account_id']),
];

/** A message of a chat: `[role, text]`, or a call with its result. */
export type Told =
  | readonly ['system' | 'user' | 'assistant', string]
  | { readonly call: string; readonly args: unknown; readonly result?: unknown };

function messagesOf(told: readonly Told[]): unknown[] {
  return told.flatMap((each, index): unknown[] => {
    if (!('call' in each)) return [{ role: each[0], content: each[1] }];
    const id = `call_${index}`;
    const args = typeof each.args === 'string' ? each.args : JSON.stringify(each.args);
    const call = { id, type: 'function', function: { name: each.call, arguments: args } };
    const said = { role: 'assistant', content: null, tool_calls: [call] };
    if (each.result === undefined) return [said];
    const content = typeof each.result === 'string' ? each.result : JSON.stringify(each.result);
    return [said, { role: 'tool', tool_call_id: id, content }];
  });
}

export interface Recorded {
  readonly log: SyncLog;
  readonly calls: readonly { readonly place: CallPlace; readonly row: CallRow }[];
}

export interface RecordOptions {
  readonly limits?: boolean;
}

/** A log with fixed ids and times, made in memory from one chat; its last call is the one that is asked about. */
export function recorded(told: readonly Told[], options: RecordOptions = {}): Recorded {
  const log: SyncLog = { ...openMemoryLog(), importKey: new Uint8Array(32).fill(7) };
  let made = 0;
  const policy = bank();
  const limits = parseChecklist(LIMITS_YAML, 'limits.yaml');
  const checklists = options.limits === true ? [policy, limits] : [policy];
  const importer = importerOf({
    log,
    declared: {
      checklists: checklists.map(({ digest, checklist }) => ({ digest, body: checklist })),
      unsound: [],
      tools: new Map(TOOLS.map((each) => [each.name, each])),
      gate: `sha256:${'ab'.repeat(32)}`,
      ruleset: 'standard',
    },
    clock: () => '2026-03-11T09:24:07.000Z',
    newId: () => `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`,
    environment: { node: '20', v8: '', icu: '', unicode: '', tz: 'UTC' },
  });
  const folder = mkdtempSync(join(tmpdir(), 'grounds-explain-'));
  try {
    writeFileSync(join(folder, 'chat.json'), JSON.stringify({ messages: messagesOf(told) }));
    const calls = [...readTranscripts(join(folder, 'chat.json'))].flatMap((conversation) => {
      const origin = { ...conversation.origin, file: 'chat.json' };
      return importer.add({ ...conversation, origin });
    });
    return { log, calls: calls.map(({ call_id }) => foldCall(log, call_id)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function equalReplay(row: CallRow): RunReplay {
  return {
    run_id: row.run_id ?? '',
    call_id: row.call_id,
    position: 0,
    finding: 'MATCH',
    code: null,
    at: null,
    path: null,
    recorded: null,
    recomputed: null,
    basis: 'recomputed',
    environment: {},
    reproduce: `grounds replay --call ${row.call_id}`,
  };
}
