import { GroundsError } from '../errors.ts';
import type { Json } from '../events/json.ts';
import type { Segment } from '../events/segment.ts';
import type { Conversation, ConversationCall } from '../transcripts/conversation.ts';
import { FORMATS, readTranscripts } from '../transcripts/index.ts';
import { receive } from '../transcripts/received.ts';

/** One piece of a conversation, as the gate sees it. Made by `user`, `agent`, `system`, `pasted`, `thirdParty` and `tool`. */
export type Said = Segment;

/** When it was said: ISO 8601 with zone. Relative dates ("tomorrow") are read against it. */
export interface When {
  readonly at?: string;
}

/** What the user typed: the only text that can confirm an instruction. */
export function user(text: string, when: When = {}): Said {
  return { ...said('user', text, when), typed: true };
}

/** What the agent wrote. It never confirms anything; a reply of the user can approve what it showed. */
export function agent(text: string, when: When = {}): Said {
  return said('agent', text, when);
}

export function system(text: string, when: When = {}): Said {
  return said('system', text, when);
}

/** Text that stands in the user's role, but that nobody typed. */
export function pasted(text: string, when: When = {}): Said {
  return said('user', text, when);
}

/** A web page, a mail, a file. `origin` says where it came from, for example an address. */
export function thirdParty(text: string, origin: string, when: When = {}): Said {
  return { ...said('third_party', text, when), origin };
}

/**
 * A tool's result, with the arguments of the call that it answers. `failed` is left to the declared forms of an error
 * (`tool_errors`) where it is not given, as most transcripts leave it.
 */
export function tool(
  name: string,
  args: Json,
  result: Json,
  more: When & { readonly failed?: boolean } = {},
): Said {
  return {
    ...said('tool', result, more),
    observes: { tool: name, arguments: { plain: args }, failed: more.failed ?? null, fault: null },
  };
}

function said(author: Segment['author'], body: Json, when: When): Said {
  return { at: when.at ?? null, author, typed: false, origin: null, body: { plain: body }, observes: null };
}

/**
 * What `given` takes as a conversation: pieces; a path to a transcript; or what a transcript holds, as an object (a whole
 * conversation in a supported format, or one that `readTranscripts` gave).
 */
export type GivenConversation = readonly Said[] | string | Conversation | { readonly [key: string]: unknown };

export interface Told {
  readonly segments: readonly Segment[];
  /** The calls that a transcript holds; none where the conversation was given by pieces. */
  readonly calls: readonly ConversationCall[];
  /** null where the conversation was given by pieces. */
  readonly conversation: Conversation | null;
}

/**
 * Reads whatever stands for a conversation. `number` chooses among several in one file: from 1, the first without it.
 *
 * @throws GroundsError `transcript/…` as the reader says; `testing/conversation` where it holds none,
 * or not so many.
 */
export function conversationOf(given: GivenConversation, number?: number): Told {
  if (Array.isArray(given)) return { segments: given as readonly Said[], calls: [], conversation: null };
  const conversation =
    typeof given === 'string'
      ? chosen([...readTranscripts(given)], given, number)
      : 'segments' in given
        ? (given as Conversation)
        : readObject(given as { readonly [key: string]: unknown });
  return {
    segments: conversation.segments.map(({ segment }) => segment),
    calls: conversation.calls,
    conversation,
  };
}

function chosen(conversations: readonly Conversation[], file: string, number = 1): Conversation {
  const found = conversations[number - 1];
  if (found !== undefined) return found;
  throw new GroundsError(
    'testing/conversation',
    `${file} holds ${conversations.length} conversations; there is no number ${number}.`,
    {
      facts: { file, conversations: conversations.length, number },
      hint: 'Count from 1, in the order of the file.',
    },
  );
}

function readObject(value: { readonly [key: string]: unknown }): Conversation {
  const received = receive(JSON.stringify(value));
  const format = 'fault' in received ? undefined : FORMATS.find((each) => each.claims(received.value));
  if ('fault' in received || format === undefined) {
    throw new GroundsError('testing/conversation', 'This object is no conversation in a supported format.', {
      facts: { formats: FORMATS.map(({ name }) => name), keys: Object.keys(value) },
      hint: 'Give an array of pieces (user(…), agent(…), tool(…)), a path, or { messages: [...] }.',
    });
  }
  return format.read(received, { file: '(object)', line: 1 }, null);
}
