import { isArray, isObject, type Json } from '../events/json.ts';
import { escapeSegment, type Pointer } from '../events/pointer.ts';
import type { Digest, Entry } from '../gate/types.ts';
import type { Conversation, ConversationCall } from '../transcripts/index.ts';

/**
 * What a transcript holds as given answers, as the gate reads them: a form's field answers the slot of its name, from the
 * moment it was given; an approval is of one call, and shows all of that call's arguments. A declined form answers
 * nothing; a declined approval declines what it showed. A call that no approval names is approved by none. RULES R9.
 */
export function entriesFor(conversation: Conversation, call: ConversationCall, tool: Digest): Entry[] {
  const index = conversation.calls.indexOf(call);
  return [...startedBefore(conversation, index), ...answersFor(conversation, call, index, tool)];
}

/** A transcript may hold no results at all; the newest calls are those that may still be under way. */
const IN_FLIGHT = 64;

/** Calls that were proposed before this one and of which this one could not see the result: they may have run. */
function startedBefore(conversation: Conversation, index: number): Entry[] {
  const before = conversation.calls[index]?.before ?? 0;
  return conversation.calls
    .slice(0, index)
    .filter(({ result }) => result === null || result >= before)
    .slice(-IN_FLIGHT)
    .map((call) => ({ kind: 'started', tool: call.tool, arguments: { plain: call.arguments.value } }));
}

function answersFor(
  conversation: Conversation,
  call: ConversationCall,
  index: number,
  tool: Digest,
): Entry[] {
  return conversation.answers.flatMap((answer): Entry[] => {
    if (answer.kind === 'approval') {
      if (answer.call !== index || call.arguments.value === null || answer.action === 'cancel') return [];
      const shown = leavesOf(call.arguments.value).map(({ pointer, value }) => ({
        slot: pointer,
        value: { plain: value },
      }));
      return [{ kind: 'approval', tool, shown, declined: answer.action === 'decline' }];
    }
    if (answer.action !== 'accept' || answer.field === null || answer.before > call.before) return [];
    const value = answer.value ?? null;
    const slot = `/${escapeSegment(answer.field)}`;
    return [{ kind: 'answer', slot, value: { plain: value }, none: value === null, candidate: null }];
  });
}

function leavesOf(value: Json, pointer: Pointer = ''): { pointer: Pointer; value: Json }[] {
  if (isArray(value) && value.length > 0) {
    return value.flatMap((item, index) => leavesOf(item, `${pointer}/${index}`));
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    return Object.keys(value).flatMap((key) =>
      leavesOf(value[key] as Json, `${pointer}/${escapeSegment(key)}`),
    );
  }
  return pointer === '' ? [] : [{ pointer, value }];
}
