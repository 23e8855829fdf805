import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'vitest';
import { parseChecklist } from '../../src/declarations/load.ts';
import { type AnyEvent, type EventType, parseEvent, streamOf } from '../../src/events/index.ts';
import type { Json } from '../../src/events/json.ts';
import { randomId } from '../../src/events/random-id.ts';
import { type Commit, openMemoryLog, type SyncLog } from '../../src/log/index.ts';
import { CONTEXT_KEY } from '../../src/mcp/context.ts';
import type { GatewayOptions } from '../../src/mcp/options.ts';
import { REFUSAL_KEY } from '../../src/mcp/refusal.ts';
import { serveStdio } from '../../src/mcp/serve.ts';
import type { Session } from '../../src/mcp/session.ts';
import type { ServerTransport } from '../../src/mcp/transport.ts';
import type { Around } from '../../src/preflight/around.ts';
import { type CallsSummary, projectionsOf } from '../../src/projections/index.ts';
import { live } from '../preflight/live.ts';
import { replayed } from '../replay/recorded.ts';

/** What a host's user does with a form. */
export type Replies = (form: {
  readonly message: string;
  readonly fields: readonly string[];
}) => ElicitResult | Promise<ElicitResult>;

export interface StageOptions {
  readonly server: () => ServerTransport;
  readonly checklists: readonly string[];
  /** null: the host has no forms. */
  readonly user?: Replies | null;
  readonly log?: SyncLog;
  readonly options?: Partial<GatewayOptions>;
  /** The host's own name of the conversation. */
  readonly conversation?: string;
}

/** A piece of a conversation, as a host brings it. */
export interface Said {
  readonly author: 'user' | 'agent' | 'tool' | 'system' | 'third_party';
  readonly typed?: boolean;
  readonly body: Json;
  readonly origin?: string;
  readonly at?: string;
}

export const types = (text: string, at?: string): Said => ({
  author: 'user',
  typed: true,
  body: text,
  ...(at === undefined ? {} : { at }),
});
export const agentSays = (text: string): Said => ({ author: 'agent', body: text });
export const stranger = (text: string, origin = 'mail'): Said => ({
  author: 'third_party',
  body: text,
  origin,
});

/** A user who fills in fields, and leaves the others. */
export const fills =
  (
    fields: Record<string, string | number | boolean> | (() => Record<string, string | number | boolean>),
  ): Replies =>
  () => ({ action: 'accept', content: typeof fields === 'function' ? fields() : fields });
export const declines: Replies = () => ({ action: 'decline' });
export const closes: Replies = () => ({ action: 'cancel' });

/** What came of one tool call, as the host sees it. */
export interface Outcome {
  readonly result: CallToolResult;
  readonly text: string;
  /** null: it went through. */
  readonly refusal: Refusal | null;
}

export interface Refusal {
  readonly call: string;
  readonly run: string;
  readonly verdict: string;
  readonly unknown: readonly { readonly slot: string; readonly reason: string; readonly route: string }[];
  readonly unmet: readonly { readonly slot: string; readonly reason: string }[];
  readonly questions: readonly {
    readonly id: string;
    readonly about: string;
    readonly text: string;
    readonly slots: readonly string[];
  }[];
  readonly answered?: readonly { readonly slot: string; readonly value: Json }[];
  readonly refused?: readonly string[];
  readonly outcome?: string;
  readonly start?: string;
}

/** A host, a gateway and a server, over the line protocol of stdio, with what a test looks at. */
export interface Stage {
  readonly client: Client;
  readonly log: SyncLog;
  /** As the gateway has it. */
  readonly around: Around;
  readonly session: Session;
  /** The forms that the user saw. */
  readonly forms: { readonly message: string; readonly fields: readonly string[] }[];
  /** Runs once, right after the next verdict is durable and before anything else happens. */
  onVerdict: (() => unknown) | null;
  /** Calls a tool; what was said since the last call goes with it. */
  call(name: string, args: Json, context?: Record<string, unknown>): Promise<Outcome>;
  /** Sends one line as it is, and gives what answers it. */
  raw(line: string): Promise<unknown>;
  /** What is said next, in order. */
  says(...pieces: readonly Said[]): void;
  /** Of one stream, or of all. */
  events(type?: EventType): AnyEvent[];
  /** The types of the events of a call, without its lookups. */
  of(call: string): string[];
  close(): Promise<void>;
}

export async function stage(given: StageOptions): Promise<Stage> {
  const { user = null } = given;
  const toGateway = new PassThrough();
  const toHost = new PassThrough();
  const hook: { onVerdict: (() => unknown) | null } = { onVerdict: null };
  const log = given.log ?? openMemoryLog();
  const around = live({
    log: watched(log, hook),
    checklists: given.checklists.map((text, index) => parseChecklist(text, `stage-${index}.yaml`)),
    newId: randomId,
    clock: () => new Date().toISOString(),
  });
  const options: GatewayOptions = { around, timeout: 5000, patience: 5000, ...given.options };
  const session = await serveStdio(given.server, options, { input: toGateway, output: toHost });
  const client = new Client(
    { name: 'host', version: '1.0.0' },
    { capabilities: user === null ? {} : { elicitation: {} } },
  );
  const forms: Stage['forms'] = [];
  if (user !== null) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      const fields = 'requestedSchema' in params ? Object.keys(params.requestedSchema.properties) : [];
      const form = { message: params.message, fields };
      forms.push(form);
      return user(form);
    });
  }
  await client.connect(new StdioServerTransport(toHost, toGateway));
  let said: Said[] = [];
  const conversation = given.conversation ?? 'a conversation';
  const self: Stage = {
    client,
    get onVerdict() {
      return hook.onVerdict;
    },
    set onVerdict(run) {
      hook.onVerdict = run;
    },
    log,
    around,
    session,
    forms,
    says: (...pieces) => void said.push(...pieces),
    async raw(line) {
      const { id } = JSON.parse(line) as { id: unknown };
      const answer = new Promise((resolve) => {
        let held = '';
        const read = (chunk: Buffer): void => {
          held += chunk.toString('utf8');
          for (const each of held.split('\n').slice(0, -1)) {
            const message = JSON.parse(each) as { id?: unknown };
            if (message.id !== id) continue;
            toHost.off('data', read);
            resolve(message);
          }
        };
        toHost.on('data', read);
      });
      toGateway.write(`${line}\n`);
      return answer;
    },
    async call(name, args, context = {}) {
      const segments = said;
      said = [];
      const result = (await client.request(
        {
          method: 'tools/call',
          params: {
            name,
            arguments: args as Record<string, unknown>,
            _meta: { [CONTEXT_KEY]: { conversation, segments, ...context } },
          },
        },
        CallToolResultSchema,
        { timeout: 20_000 },
      )) as CallToolResult;
      const refusal = (result._meta?.[REFUSAL_KEY] as Refusal | undefined) ?? null;
      if (refusal !== null && 'error' in refusal) throw new Error(JSON.stringify(refusal));
      const [first] = result.content;
      return { result, refusal, text: first?.type === 'text' ? first.text : '' };
    },
    events(type) {
      const found: AnyEvent[] = [];
      for (const page of around.log.readSync(type === undefined ? {} : { types: [type] }))
        for (const { event } of page) found.push(parseEvent(event));
      return found;
    },
    of(call) {
      const stream = streamOf.call(call);
      return self
        .events()
        .filter((event) => event.stream === stream && event.type !== 'LookupPerformed')
        .map(({ type }) => type);
    },
    async close() {
      await client.close();
      toGateway.end();
      await session.ended;
    },
  };
  return self;
}

/** What a refusal leaves open, by slot; what only waits for another is left out. */
export function blanks(refusal: Refusal | null): Record<string, string> {
  const own = (refusal?.unknown ?? []).filter(({ reason }) => reason !== 'waits_for');
  return Object.fromEntries(own.map(({ slot, reason }) => [slot, reason]));
}

/** The same log, at which somebody else acts right after a verdict. */
function watched(log: SyncLog, hook: { onVerdict: (() => unknown) | null }): SyncLog {
  return new Proxy(log, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (name !== 'append') return typeof member === 'function' ? member.bind(target) : member;
      return async (commit: Commit) => {
        const appended = await target.append(commit);
        const judged = commit.writes.some(({ events }) =>
          events.some(({ type }) => type === 'VerdictRecorded'),
        );
        if (!judged || hook.onVerdict === null) return appended;
        const run = hook.onVerdict;
        hook.onVerdict = null;
        await run();
        return appended;
      };
    },
  });
}

/** Events of one type, with their data. */
export function dataOf<T extends EventType>(on: Stage, type: T): Extract<AnyEvent, { type: T }>['data'][] {
  return on.events(type).map(({ data }) => data as never);
}

export const EXECUTED = ['RunStarted', 'VerdictRecorded', 'ExecutionDecided', 'CallStarted', 'CallSucceeded'];

/** Every run that a log holds comes out the same again. */
export function replays(log: SyncLog): void {
  const { summary, found } = replayed(log);
  const differing = found.filter(({ finding }) => finding !== 'MATCH');
  expect(differing).toEqual([]);
  expect(summary).toMatchObject({ diverged: 0, missing_input: 0, tampered: 0, gate_not_shipped: 0 });
  expect(summary.matched).toBe(summary.replayed);
}

/** What a report counts of a log. */
export function projected(log: SyncLog): CallsSummary {
  const projections = projectionsOf(log);
  projections.catchUp();
  return projections.summary();
}

/** A folder that goes with the test. */
export function folder(): { readonly path: string; readonly end: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'grounds-mcp-'));
  return { path, end: () => rmSync(path, { recursive: true, force: true }) };
}
