import type { Checklist } from '../declarations/checklist.ts';
import { plainOf } from '../events/content.ts';
import type { Segment } from '../events/segment.ts';
import { readerOf } from '../gate/readers/index.ts';

/** What time a conversation says it is, where its checklist declares where to look. ISO 8601 with offset, or null. */
export function nowOf(checklists: readonly Checklist[], segments: readonly Segment[]): string | null {
  for (const checklist of checklists) {
    const declared = checklist.now;
    if (declared === undefined || checklist.declared_by !== 'system') continue;
    const zone = declared.zone ?? checklist.zone;
    const reader = readerOf('datetime', {});
    for (const segment of segments) {
      if (segment.author !== declared.author) continue;
      const body = plainOf(segment.body);
      if (typeof body !== 'string') continue;
      const start = body.indexOf(declared.after);
      if (start < 0) continue;
      const text = body.slice(start + declared.after.length);
      const first = reader?.scan(text, { at: null, zone })?.[0];
      if (first !== undefined && typeof first.value === 'string') return first.value;
    }
  }
  return null;
}
