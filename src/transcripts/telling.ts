import type { ToolDeclaration } from '../declarations/tool.ts';
import { encode } from '../events/canonical.ts';
import type { Json } from '../events/json.ts';
import type { Pointer } from '../events/pointer.ts';
import type { Author } from '../events/segment.ts';
import { argumentsAt } from './call-arguments.ts';
import {
  type ArgumentsFault,
  CANNOT_TELL,
  type CannotTell,
  type Conversation,
  type ConversationAnswer,
  type ConversationCall,
  type ConversationSegment,
  type Origin,
} from './conversation.ts';
import { checkExact, type Standing } from './exactness.ts';
import { harnessWatch } from './harness.ts';
import { pairing } from './pairing.ts';
import type { Received } from './received.ts';
import { structure } from './structured.ts';

const UNASKED = 'A tool result answers no call before it: it measures nothing.';
const OTHER_NAME = 'A tool result names another tool than the call that it answers: the call is believed.';
const HARNESS =
  'Text in a user role repeats an earlier prompt, a call or a result word for word: it is not taken as typed.';

/** What a format can tell at all. */
export interface Style {
  readonly format: string;
  /** `told`: which user text a person typed; `assumed`: the format does not say, and all of it is taken as typed. */
  readonly typed: 'told' | 'assumed';
  /** A person wrote one prompt: every repeat of it is a harness's. */
  readonly onePrompt: boolean;
}

interface Said {
  readonly author: Author;
  readonly text: string;
  readonly message: number;
  readonly part?: number | null;
  readonly at?: string | null;
  /** Only of the user's words; without it they are typed, unless they show a harness. */
  readonly typed?: boolean;
  readonly origin?: string | null;
}

interface Proposed {
  readonly message: number;
  readonly id: string | null;
  readonly tool: string;
  readonly server?: string | null;
  readonly arguments: Standing;
  /** Of arguments that the recorder could not read: they have no value. */
  readonly fault?: ArgumentsFault['code'];
  readonly cannot?: readonly CannotTell[];
}

interface Resulted {
  readonly message: number;
  readonly id: string | null;
  readonly name: string | null;
  /** Where the format pairs by itself; null: it answers none. */
  readonly call?: number | null;
  /** Texts, or values as they stand; none is one empty text. */
  readonly bodies: readonly { readonly body: Json; readonly part: number | null; readonly at?: Standing }[];
  /** null where the format can't tell. */
  readonly failed: boolean | null;
  readonly at?: string | null;
}

/** Gathers one conversation piece by piece, in the order in which it is told. */
export interface Telling {
  readonly calls: readonly ConversationCall[];
  note(text: string): void;
  say(said: Said): void;
  /** The index of the call. */
  propose(call: Proposed): number;
  /** The call that a result would answer, which then counts as answered; null where there is none. */
  answers(of: { readonly id: string | null; readonly name: string | null }): number | null;
  /** The index of the call that it answers, or null. */
  result(result: Resulted): number | null;
  answer(answer: Omit<ConversationAnswer, 'before'>): void;
  /** The same definition once; another of the same name is kept beside it. */
  declare(tool: ToolDeclaration): void;
  /** What the conversation rests on must be exact but for arguments and results. Also its identity, unless `silent`. */
  rests(on: Standing, silent?: boolean): void;
  /** Throws `transcript/not-exact` and `…/lone-surrogate`. */
  finish(origin: Origin, run: Json): Conversation;
}

export function telling(style: Style): Telling {
  const pairs = pairing();
  const watch = harnessWatch(style.onePrompt);
  const segments: ConversationSegment[] = [];
  const calls: ConversationCall[] = [];
  const cannot: (readonly CannotTell[])[] = [];
  const inMessage = new Map<number, number>();
  const answers: ConversationAnswer[] = [];
  const notes = new Set<string>();
  const tools: ToolDeclaration[] = [];
  const declared = new Set<string>();
  const grounds: { on: Standing; silent: boolean }[] = [];
  /** Where inexact values are the call's own matter. */
  const free = new Map<Received, Set<Pointer>>();
  let firstTyped = -1;
  let firstUser = -1;

  function setFree({ from, pointer }: Standing): void {
    const known = free.get(from) ?? new Set();
    free.set(from, known.add(pointer));
  }

  return {
    calls,
    note: (text) => {
      notes.add(text);
    },
    say({ author, text, message, part = null, at = null, typed, origin = null }) {
      if (text === '') return;
      let byHand = false;
      if (author === 'agent') watch.agentSaid(text);
      if (author === 'user' && typed !== false) {
        byHand = !watch.isHarness(text);
        if (!byHand) notes.add(HARNESS);
      }
      if (author === 'user' && firstUser === -1) firstUser = segments.length;
      if (byHand && firstTyped === -1) firstTyped = segments.length;
      const segment = {
        at: timeOf(at),
        author,
        body: { plain: text },
        observes: null,
        origin,
        typed: byHand,
      };
      segments.push({ segment, message, part });
    },
    propose({ message, id, tool, server = null, arguments: args, fault, cannot: told = [] }) {
      const index = inMessage.get(message) ?? 0;
      inMessage.set(message, index + 1);
      setFree(args);
      const read = argumentsAt(args.from, args.pointer, args.value);
      const faulty = fault === undefined ? read : { ...read, value: null, fault: faultOf(fault) };
      pairs.propose(calls.length, { message, id, tool });
      cannot.push(told);
      calls.push({
        message,
        index,
        id,
        tool,
        server,
        arguments: faulty,
        before: segments.length,
        result: null,
        cannot_tell: [],
      });
      const written = typeof args.value === 'string' ? args.value : faulty.text;
      watch.passed(written ?? (faulty.value === null ? '' : encode(faulty.value)), true);
      return calls.length - 1;
    },
    answers: (of) => pairs.answer(of),
    result({ message, id, name, call: known, bodies, failed, at = null }) {
      const answered = known === undefined ? pairs.answer({ id, name }) : known;
      const call = answered === null ? undefined : calls[answered];
      if (!call) notes.add(UNASKED);
      else if (name !== null && name !== call.tool) notes.add(OTHER_NAME);
      const first = segments.length;
      const parts = bodies.length > 0 ? bodies : [{ body: '', part: null }];
      for (const each of parts) {
        const { body, fault } = readBody(each);
        if (each.at) setFree(each.at);
        if (typeof body === 'string') watch.passed(body, failed === true);
        const observes = call
          ? { arguments: { plain: call.arguments.value }, failed, fault, tool: call.tool }
          : null;
        const segment = {
          at: timeOf(at),
          author: 'tool' as const,
          body: { plain: body },
          observes,
          origin: null,
          typed: false,
        };
        segments.push({ segment, message, part: each.part });
      }
      if (call && answered !== null) {
        pairs.settle(answered);
        if (call.result === null) calls[answered] = { ...call, result: first };
      }
      return answered;
    },
    answer: (answer) => {
      answers.push({ ...answer, before: segments.length });
    },
    declare: (tool) => {
      const key = encode(tool);
      if (declared.has(key)) return;
      declared.add(key);
      tools.push(tool);
    },
    rests: (on, silent = false) => {
      grounds.push({ on, silent });
    },
    finish(origin, run) {
      checkExact(
        grounds.map(({ on }) => on),
        free,
        origin,
      );
      return {
        format: style.format,
        origin,
        segments,
        calls: calls.map((call, i) => ({ ...call, cannot_tell: untold(call, cannot[i] ?? []) })),
        answers,
        notes: [...notes],
        tools,
        identity: { run, messages: grounds.filter(({ silent }) => !silent).map(({ on }) => asReceived(on)) },
      };
    },
  };

  function untold(call: ConversationCall, told: readonly CannotTell[]): CannotTell[] {
    const all = new Set<CannotTell>(told);
    const result = call.result === null ? undefined : segments[call.result]?.segment;
    if (call.arguments.fault?.code === 'missing') all.add('no_arguments_recorded');
    if (!result) all.add('no_result');
    else if (result.observes?.failed === null) all.add('no_failure_flag');
    const typed = firstTyped !== -1 && firstTyped < call.before;
    if (typed && style.typed === 'assumed') all.add('no_typed_flag');
    if (firstUser === -1 || firstUser >= call.before) all.add('no_user_text');
    return CANNOT_TELL.filter((code) => all.has(code));
  }
}

function readBody({ body, at }: Resulted['bodies'][number]): { body: Json; fault: string | null } {
  if (typeof body !== 'string') {
    const fault = at?.from.faultIn(at.pointer) ?? null;
    if (!at || !fault) return { body, fault: null };
    return { body: at.from.raw(at.pointer) ?? '', fault: fault.code };
  }
  const read = structure(body);
  if (read === null) return { body, fault: null };
  return 'value' in read ? { body: read.value, fault: null } : { body, fault: read.fault };
}

/** What can't be kept exactly stands in the identity as its own text. */
function asReceived({ from, pointer, value }: Standing): Json {
  return (from.faultIn(pointer) ? from.raw(pointer) : value) ?? null;
}

function faultOf(code: ArgumentsFault['code']): ArgumentsFault {
  return { code, pointer: '', lexeme: '', line: 1, column: 1, offset: 0 };
}

/** Only a time that says its zone is one. */
function timeOf(at: string | null): string | null {
  return at !== null && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(at)
    ? at
    : null;
}
