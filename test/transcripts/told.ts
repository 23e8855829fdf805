import type { Conversation, ConversationCall } from '../../src/transcripts/index.ts';
import { fixture, readAll } from './files.ts';

export function only(file: string): Conversation {
  const [first, ...more] = readAll(fixture(file));
  if (!first || more.length > 0) throw new Error(`${file} holds not exactly one conversation`);
  return first;
}

/** What was said, short: author, whether it was typed, and the text or value. */
export function said({ segments }: Conversation): unknown[] {
  return segments.map(({ segment }) => [
    segment.author,
    segment.typed,
    'plain' in segment.body ? segment.body.plain : null,
  ]);
}

/** Each call, short: tool, arguments, whether its result failed, and what is not told. */
export function called(conversation: Conversation): unknown[] {
  return conversation.calls.map((call) => [
    call.tool,
    call.arguments.value,
    failed(conversation, call),
    call.cannot_tell,
  ]);
}

function failed({ segments }: Conversation, { result }: ConversationCall): boolean | null | undefined {
  return result === null ? undefined : segments[result]?.segment.observes?.failed;
}
