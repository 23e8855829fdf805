import { parseChecklist } from '../../src/declarations/load.ts';
import type { ToolDeclaration } from '../../src/declarations/tool.ts';
import { randomId } from '../../src/events/random-id.ts';
import type { Around } from '../../src/preflight/around.ts';
import { ask } from '../../src/preflight/ask.ts';
import type { By } from '../../src/preflight/by.ts';
import { openRequest, say } from '../../src/preflight/conversation.ts';
import { type Judged, judge } from '../../src/preflight/judge.ts';
import type { Proposed } from '../../src/preflight/proposed.ts';
import { live, typed } from './live.ts';

export const ANN: By = { user: 'ann', known_by: 'form' };

/** A checklist for a tool `send`, with these lines for its slots, and these beside `intent` and `tools`. */
export function sending(slots = '', more = '', to = 'reader: text') {
  return parseChecklist(
    `grounds: 1
checklist: test/send
declared_by: system
intent:
  unmarked_timing: immediate
  timing:
    scheduled: { words: [on], detail: date }
    recurring: { words: [every], detail: weekday }
    conditional: { words: [once], detail: events }
  act_words: { send: [send, pay], other: [close] }
readers:
  weekday: { one_of: { monday: [monday], friday: [friday] } }
  events: { one_of: { arrived: [it arrived, it is here] } }
${more}tools:
  send:
    slots:
      /to: { ${to}, ask: Who is it for? }
      /amount: { reader: money }
${slots}`,
    'send.yaml',
  );
}

export const SEND: ToolDeclaration = {
  server: 'bank',
  name: 'send',
  description: null,
  input_schema: {
    type: 'object',
    required: ['to', 'amount'],
    properties: { to: { type: 'string' }, amount: { type: 'number' }, note: { type: 'string' } },
    additionalProperties: false,
  },
  annotations: null,
};

export interface Scene {
  readonly around: Around;
  readonly proposed: Proposed;
  /** Judges the call (again): with other arguments, or whatever else is different. */
  judge(more?: Partial<Proposed>): Promise<Judged>;
  /** Judges it and asks. */
  ask(more?: Partial<Proposed>): Promise<Awaited<ReturnType<typeof ask>>>;
  type(text: string): Promise<void>;
}

/** A request in which the user typed this, and one call that is proposed for it. */
export async function scene(
  words: string,
  args: Proposed['arguments'],
  more: Parameters<typeof live>[0] & { readonly tool?: ToolDeclaration } = {},
): Promise<Scene> {
  const around = live({ checklists: [sending()], newId: randomId, ...more });
  const conversation = randomId();
  const request = await openRequest(around, { conversation, from: 0 });
  await say(around, conversation, [typed(words)]);
  const proposed: Proposed = {
    conversation,
    request,
    call: randomId(),
    tool: more.tool ?? SEND,
    arguments: args,
  };
  return {
    around,
    proposed,
    judge: (changed = {}) => judge(around, { ...proposed, ...changed }),
    ask: async (changed = {}) => ask(around, await judge(around, { ...proposed, ...changed })),
    type: async (text) => {
      await say(around, conversation, [typed(text)]);
    },
  };
}
