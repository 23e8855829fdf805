import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { sheltered } from './exact-message.ts';

/**
 * Server-sent events with each message read exactly: numbers that are not exact are marked, and what can't be read is left out.
 * `resumable` says whether an event had an id, from which a stream can be taken up again.
 */
export function sseMarked(
  read: (text: string) => { readonly message: JSONRPCMessage | null },
  resumable: { value: boolean },
): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let held = '';
  const eventOf = (block: string): string => {
    const lines = block.split(/\r\n|\n|\r/);
    const data = lines
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).replace(/^ /, ''));
    if (lines.some((line) => line.startsWith('id:') && line.length > 3)) resumable.value = true;
    if (data.length === 0 || data.join('').trim() === '') return `${block}\n\n`;
    const { message } = read(data.join('\n'));
    const others = lines.filter((line) => line !== '' && !line.startsWith('data:'));
    if (message === null) return others.length === 0 ? '' : `${others.join('\n')}\ndata: \n\n`;
    return `${[...others, `data: ${JSON.stringify(sheltered(message))}`].join('\n')}\n\n`;
  };
  return new TransformStream({
    transform(chunk, controller) {
      held += decoder.decode(chunk, { stream: true });
      for (;;) {
        const end = /\r\n\r\n|\n\n|\r\r/.exec(held);
        if (end === null) return;
        const block = held.slice(0, end.index);
        held = held.slice(end.index + end[0].length);
        controller.enqueue(encoder.encode(eventOf(block)));
      }
    },
    // An event without its end is none.
  });
}
