import { encode } from '../../src/events/canonical.ts';
import { plainOf } from '../../src/events/content.ts';
import { at as valueAt } from '../../src/events/pointer.ts';
import type { Segment } from '../../src/events/segment.ts';
import { streamOf } from '../../src/events/streams.ts';
import type { Explanation, Where } from '../../src/explain/index.ts';
import type { SyncLog } from '../../src/log/index.ts';

/** Every place that an explanation quotes, wherever in it. */
export function placesIn(value: unknown, found: Where[] = []): Where[] {
  if (Array.isArray(value)) for (const item of value) placesIn(item, found);
  else if (typeof value === 'object' && value !== null) {
    if ('quoted' in value && 'in' in value) found.push(value as Where);
    for (const item of Object.values(value)) placesIn(item, found);
  }
  return found;
}

/** The quotes that differ from what the log holds at their place; none is what is right. */
export function falseQuotes(log: SyncLog, explanation: Explanation): Where[] {
  const { conversation_id } = explanation.call;
  if (conversation_id === null) return placesIn(explanation);
  const segments = [...log.readSync({ stream: streamOf.conversation(conversation_id) })]
    .flat()
    .map(({ event }) => (event.data as { segment: Segment }).segment);
  return placesIn(explanation).filter((where) => {
    if (where.in === 'entry') return false;
    const segment = segments[where.segment];
    if (segment === undefined) return true;
    if (where.in === 'text') {
      const text = plainOf(segment.body);
      const line = where.line;
      return (
        typeof text !== 'string' ||
        text.slice(where.start, where.end) !== where.quoted ||
        (line !== null && text.slice(line.start, line.end) !== line.quoted)
      );
    }
    const content = where.of === 'result' ? segment.body : segment.observes?.arguments;
    const value = content === undefined ? undefined : valueAt(plainOf(content), where.pointer);
    if (value === undefined) return true;
    return where.quoted !== (typeof value === 'string' ? value : encode(value));
  });
}
