import { parseChecklist } from '../../src/declarations/load.ts';
import { digestOf } from '../../src/events/digest.ts';
import { type DataOf, type EventType, makeEvent, streamOf } from '../../src/events/index.ts';
import type { Json } from '../../src/events/json.ts';
import { randomId } from '../../src/events/random-id.ts';
import type { Segment } from '../../src/events/segment.ts';
import type { ToolDeclaration } from '../../src/events/tool.ts';
import { drive, type Entry, locate, type RunInput } from '../../src/gate/index.ts';
import { GATE_DIGEST } from '../../src/gate-digest.ts';
import type { Commit, SyncLog } from '../../src/log/index.ts';
import { environment } from '../../src/runs/environment.ts';
import { declarationsOf, type MakeEvent, runEvents } from '../../src/runs/run-events.ts';
import { standingOf } from '../../src/runs/standing.ts';
import { user } from '../../src/testing/index.ts';

/** A bank's rules: an amount and a recipient, both in the user's words. */
const RULES = `grounds: 1
checklist: bank/policy
declared_by: system
intent:
  unmarked_timing: immediate
  act_words: { transfer: [send, transfer] }
  yes: ["yes"]
  no: ["no"]
tools:
  transfer:
    schema:
      type: object
      required: [amount, to]
      properties: { amount: { type: number }, to: { type: string } }
    slots:
      /amount: { reader: decimal, sources: [user_answer, instruction] }
      /to: { reader: text, sources: [user_answer, instruction] }
`;
const { checklist, digest } = parseChecklist(RULES, 'bank.yaml');

export const TOOL: ToolDeclaration = {
  server: 'bank',
  name: 'transfer',
  description: 'Sends money.',
  input_schema: null,
  annotations: null,
};

export interface JudgedHere {
  readonly conversation: string;
  readonly request: string;
  readonly call: string;
  readonly run: string;
  readonly verdict: DataOf<'VerdictRecorded'>['verdict'];
}

export interface Judging {
  readonly call?: string;
  readonly conversation?: string;
  readonly request?: string;
  /** What is said before it is judged; default one sentence that names it all. */
  readonly said?: readonly Segment[];
  readonly arguments?: Json;
  readonly phase?: RunInput['phase'];
  readonly entries?: readonly Entry[];
  readonly settings?: DataOf<'RunStarted'>['settings'];
  readonly tool?: ToolDeclaration;
  readonly at?: string;
  readonly expectedCall?: number;
}

export const NOW = '2026-05-01T10:00:00.000Z';

/** `NOW` and so many seconds. */
export function later(seconds: number): string {
  return new Date(Date.parse(NOW) + seconds * 1000).toISOString();
}

/** Judges a call and records it in one commit, as a live driver does. */
export function judge(log: SyncLog, judging: Judging = {}): JudgedHere {
  const { commit, judged } = judgement(log, judging);
  log.appendSync([commit]);
  return judged;
}

/** The commit that records a judgement of what the log holds now. */
export function judgement(log: SyncLog, judging: Judging = {}): { commit: Commit; judged: JudgedHere } {
  const conversation = judging.conversation ?? randomId();
  const request = judging.request ?? randomId();
  const call = judging.call ?? randomId();
  const run = randomId();
  const tool = judging.tool ?? TOOL;
  const held = segmentsOf(log, conversation);
  const fresh = judging.said ?? (held.length === 0 ? [user('Please send 250 to acc-77')] : []);
  const input: RunInput = {
    gate: GATE_DIGEST,
    ruleset: 'standard',
    phase: judging.phase ?? 'at_trigger',
    now: null,
    attempts: { intent: 0, tool: 0 },
    proposal: { received: null, prepared: { plain: judging.arguments ?? { amount: 250, to: 'acc-77' } } },
    tool,
    tool_digest: digestOf(tool),
    checklists: [{ body: checklist, digest }],
    unsound: [],
    action_key: 'ok',
    segments: [...held, ...fresh],
    request_from: 0,
    entries: judging.entries ?? [],
  };
  const driven = drive(input, (lookup) => locate(input, lookup));
  const at = judging.at ?? NOW;
  const made: MakeEvent = (type, data) => makeEvent(type, data, { id: randomId(), at });
  const standing = standingOf(log, call);
  const events = runEvents(
    input,
    driven,
    {
      id: run,
      request,
      conversation,
      supersedes: standing?.run?.id ?? null,
      environment: environment(),
      origin: null,
      gated: true,
    },
    made,
  ).map((event) =>
    event.type === 'RunStarted' && judging.settings !== undefined
      ? made('RunStarted', { ...(event.data as DataOf<'RunStarted'>), settings: judging.settings })
      : event,
  );
  const writes: Commit['writes'] = [
    ...declarationsOf(input, made).flatMap(({ stream, digest: of, event }) =>
      newest(log, stream) === of ? [] : [{ stream, expected: log.versionSync(stream), events: [event()] }],
    ),
    ...(fresh.length === 0
      ? []
      : [
          {
            stream: streamOf.conversation(conversation),
            expected: held.length,
            events: fresh.map((segment) => made('SegmentAdded', { segment, source: null })),
          },
        ]),
    { stream: streamOf.call(call), expected: judging.expectedCall ?? standing?.version ?? 0, events },
  ];
  return { commit: { writes }, judged: { conversation, request, call, run, verdict: driven.verdict } };
}

/** Appends one event at the end of a stream. */
export function put<T extends EventType>(
  log: SyncLog,
  stream: string,
  type: T,
  data: DataOf<T>,
  at: string = NOW,
): string {
  const event = makeEvent(type, data as never, { id: randomId(), at });
  log.appendSync([{ writes: [{ stream, expected: 'any', events: [event] }] }]);
  return event.id;
}

export function say(log: SyncLog, conversation: string, segment: Segment): void {
  put(log, streamOf.conversation(conversation), 'SegmentAdded', { segment, source: null });
}

export function declareTool(log: SyncLog, tool: ToolDeclaration): void {
  put(log, streamOf.tool(tool.server, tool.name), 'ToolDeclared', { digest: digestOf(tool), tool });
}

export function declareChecklist(log: SyncLog, written_by: string): void {
  const body = { ...checklist, written_by };
  put(log, streamOf.checklist('system', 'bank/policy'), 'ChecklistDeclared', {
    digest: digestOf(body),
    declared_by: 'system',
    written_by,
    place: null,
    body: body as never,
  });
}

export const SOMEBODY: DataOf<'AnswerReceived'>['by'] = {
  user: '5d1f0b52-0000-4000-8000-000000000001',
  known_by: 'form',
  said: null,
};

export function typesOf(log: SyncLog, call: string): string[] {
  const types: string[] = [];
  for (const page of log.readSync({ stream: streamOf.call(call) }))
    for (const { event } of page) if (event.type !== 'LookupPerformed') types.push(event.type);
  return types;
}

export function dataOf<T extends EventType>(log: SyncLog, stream: string, type: T): DataOf<T>[] {
  const found: DataOf<T>[] = [];
  for (const page of log.readSync({ stream, types: [type] }))
    for (const { event } of page) found.push(event.data as DataOf<T>);
  return found;
}

export function segmentsOf(log: SyncLog, conversation: string): Segment[] {
  return dataOf(log, streamOf.conversation(conversation), 'SegmentAdded').map(({ segment }) => segment);
}

function newest(log: SyncLog, stream: string): string | null {
  for (const page of log.readSync({ stream, direction: 'backward', limit: 1 }))
    for (const { event } of page) return (event.data as { digest: string }).digest;
  return null;
}
