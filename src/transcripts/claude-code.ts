import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import type { Pointer } from '../events/pointer.ts';
import { tellContent } from './anthropic-messages.ts';
import { wrongShape } from './bad-input.ts';
import { stretchesOf } from './claude-code-text.ts';
import type { Conversation, Origin } from './conversation.ts';
import type { Format } from './format.ts';
import type { Received } from './received.ts';
import { arrayAt, objectAt, textOrNull } from './shape.ts';
import { type Telling, telling } from './telling.ts';

const NOT_TYPED =
  'Text that Claude Code itself put into a user message (meta entries, reminders, output of commands) is not taken as typed.';
const SIDECHAIN = "The prompts of subagents are the agent's own words, not the user's.";
const REPEATED = 'Entries that stand twice (a resumed session) were read once.';
/** An entry of any type has one of these. */
const MARKS = ['sessionId', 'uuid', 'leafUuid', 'messageId', 'snapshot', 'parentUuid', 'timestamp'];
/** An entry that is written for the program, not for the model. */
const FLAGS = ['isMeta', 'isCompactSummary', 'isVisibleInTranscriptOnly'];

/**
 * Claude Code session files: one entry a line, or `{loglines: [entries]}`. Entries of type `user` and `assistant` hold
 * an Anthropic message; results are in user entries. Read in the order of the file, branches that were left too.
 */
export const claudeCode: Format = {
  name: 'claude-code',
  claims(value) {
    const entries = isObject(value) ? value.loglines : value;
    return isArray(entries) && entries.length > 0 && entries.every(isEntry) && entries.some(isMessageEntry);
  },
  claimsPiece: isEntry,
  read,
};

function read(received: Received, origin: Origin, _run: Json): Conversation {
  const pointer = isObject(received.value) ? '/loglines' : '';
  const entries = arrayAt(
    isObject(received.value) ? received.value.loglines : received.value,
    pointer,
    origin,
  );
  const tale = telling({ format: claudeCode.name, typed: 'told', onePrompt: false });
  const seen = new Set<string>();
  let session: string | null = null;
  let messages = 0;
  entries.forEach((value, i) => {
    const at = `${pointer}/${i}`;
    const entry = objectAt(value, at, origin, 'an entry');
    session ??= textOrNull(entry.sessionId);
    if (!isMessageEntry(entry)) {
      if (!isEntry(entry)) throw wrongShape(origin, at, 'is no entry of a session');
      return;
    }
    const uuid = textOrNull(entry.uuid);
    if (uuid !== null && seen.has(uuid)) {
      tale.note(REPEATED);
      return;
    }
    if (uuid !== null) seen.add(uuid);
    messages++;
    tellEntry(tale, received, entry, i, at, origin);
  });
  if (messages === 0) throw wrongShape(origin, pointer, 'holds no message');
  return tale.finish(origin, { session });
}

function tellEntry(
  tale: Telling,
  received: Received,
  entry: JsonObject,
  index: number,
  pointer: Pointer,
  origin: Origin,
): void {
  const message = objectAt(entry.message, `${pointer}/message`, origin, 'a message');
  if (message.role !== undefined && message.role !== entry.type) {
    throw wrongShape(origin, `${pointer}/message`, 'has another role than its entry');
  }
  const at = textOrNull(entry.timestamp);
  // The message and what decides who wrote it; the rest of an entry is bookkeeping.
  tale.rests({ from: received, pointer: `${pointer}/message`, value: entry.message });
  for (const key of ['type', 'isSidechain', ...FLAGS]) {
    if (key in entry) tale.rests({ from: received, pointer: `${pointer}/${key}`, value: entry[key] }, true);
  }
  const sidechain = entry.isSidechain === true;
  const flagged = FLAGS.some((flag) => entry[flag] === true);
  const sayUser = (text: string, part: number | null) => {
    if (sidechain) {
      tale.note(SIDECHAIN);
      tale.say({ author: 'agent', text, message: index, part, at });
      return;
    }
    for (const stretch of stretchesOf(text)) {
      const typed = stretch.typed && !flagged;
      if (!typed) tale.note(NOT_TYPED);
      tale.say({ author: 'user', text: stretch.text, message: index, part, at, ...(typed ? {} : { typed }) });
    }
  };
  tellContent(
    tale,
    received,
    { ...message, role: entry.type ?? null },
    { index, pointer: `${pointer}/message`, at, sayUser },
    origin,
  );
}

function isEntry(value: Json): boolean {
  if (!isObject(value) || typeof value.type !== 'string' || 'role' in value || 'jsonrpc' in value)
    return false;
  return MARKS.some((mark) => mark in value) && (!('message' in value) || isObject(value.message));
}

function isMessageEntry(value: Json): boolean {
  return isObject(value) && (value.type === 'user' || value.type === 'assistant') && isObject(value.message);
}
