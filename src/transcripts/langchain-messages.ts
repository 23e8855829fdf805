import { isArray, isObject, type Json } from '../events/json.ts';
import { escapeSegment, type Pointer } from '../events/pointer.ts';

export interface PlacedMessage {
  readonly value: Json;
  readonly pointer: Pointer;
}

export interface Found {
  readonly messages: readonly PlacedMessage[];
  readonly interrupted: boolean;
}

const TYPES =
  /^(?:human|ai|system|developer|tool|function|chat|remove|(?:Human|AI|System|Tool|Function|Chat)MessageChunk)$/;
const CLASSES = /^(?:Human|AI|System|Developer|Tool|Function|Chat|Remove)Message(?:Chunk)?$/;

export function isLangchainMessage(value: Json | undefined): boolean {
  if (!isObject(value)) return false;
  if (value.lc === 1) {
    return isArray(value.id) && CLASSES.test(String(value.id.at(-1))) && isObject(value.kwargs);
  }
  if (
    typeof value.type !== 'string' ||
    !TYPES.test(value.type) ||
    'role' in value === (value.type !== 'chat')
  )
    return false;
  return 'content' in value || isObject(value.data);
}

/** The messages of an array, a state or a stream, in order; null where it is none of these. */
export function messagesOf(value: Json): Found | null {
  if (isArray(value)) {
    if (value.length > 0 && value.every(isStreamPart)) return ofStream(value);
    return isLangchainMessage(value[0]) ? { messages: placed(value, ''), interrupted: false } : null;
  }
  if (!isObject(value)) return null;
  for (const [state, pointer] of [
    [value, ''],
    [value.values, '/values'],
    [value.output, '/output'],
  ] as const) {
    if (!isObject(state) || !isArray(state.messages) || !isLangchainMessage(state.messages[0])) continue;
    const interrupted = '__interrupt__' in state || '__interrupt__' in value;
    return { messages: placed(state.messages, `${pointer}/messages`), interrupted };
  }
  return null;
}

/**
 * States hold all messages so far, updates those of one node: each message is taken once, by its id, at its first place
 * and as it was last. Chunks (mode `messages`) are pieces of messages that a state holds whole. null where a stream has neither.
 */
function ofStream(parts: readonly Json[]): Found | null {
  const byId = new Map<string, PlacedMessage>();
  let interrupted = false;
  let states = 0;
  parts.forEach((part, i) => {
    if (!isArray(part)) return;
    const [mode, payload] = part;
    if (!isObject(payload)) return;
    if ('__interrupt__' in payload) interrupted = true;
    const nodes: [Json, Pointer][] =
      mode === 'updates'
        ? Object.entries(payload).map(([name, node]) => [node, `/${i}/1/${escapeSegment(name)}`])
        : mode === 'values'
          ? [[payload, `/${i}/1`]]
          : [];
    for (const [node, pointer] of nodes) {
      if (!isObject(node) || !isArray(node.messages)) continue;
      states++;
      placed(node.messages, `${pointer}/messages`).forEach((each, at) => {
        byId.set(idOf(each.value) ?? `${mode === 'values' ? '' : i} ${at}`, each);
      });
    }
  });
  return states === 0 ? null : { messages: [...byId.values()], interrupted };
}

function isStreamPart(value: Json): boolean {
  return (
    isArray(value) &&
    value.length === 2 &&
    typeof value[0] === 'string' &&
    (isObject(value[1]) || isArray(value[1]))
  );
}

function placed(messages: readonly Json[], pointer: Pointer): PlacedMessage[] {
  return messages.map((value, i) => ({ value, pointer: `${pointer}/${i}` }));
}

function idOf(value: Json): string | null {
  if (!isObject(value)) return null;
  const body = isObject(value.kwargs) ? value.kwargs : isObject(value.data) ? value.data : value;
  return typeof body.id === 'string' ? `id ${body.id}` : null;
}
