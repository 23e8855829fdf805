import { type Made, makeEvent, streamOf } from '../../src/events/index.ts';
import type { Segment } from '../../src/events/segment.ts';
import type { CallStanding } from '../../src/projections/standing.ts';
import type { Dice } from '../laws/dice.ts';
import { typed } from '../preflight/live.ts';

/** One event of somebody else's, and where it goes. */
export interface Interference {
  readonly stream: string;
  readonly event: (of: { readonly id: string; readonly at: string }) => Made;
}

/** Something that another process may do, after which this call may not be what it was. null: it finds nothing to do. */
export function inTheWayOf(
  call: string,
  standing: CallStanding | null,
  request: { readonly id: string; readonly conversation: string },
  dice: Dice,
  user: string,
): Interference | 'a declaration' | 'a long time' | null {
  const by = { user, known_by: 'form' as const, said: null };
  const say = (segment: Segment): Interference => ({
    stream: streamOf.conversation(request.conversation),
    event: (of) => makeEvent('SegmentAdded', { segment, source: null }, of),
  });
  switch (dice.below(12)) {
    case 0:
      return say(typed('Wait.'));
    case 1:
      return say({ ...typed('Working on it.'), author: 'agent', typed: false });
    case 2:
    case 3:
    case 4:
      return 'a declaration';
    case 5: {
      const looked = standing?.run?.started.settings ?? [];
      const stream = looked[dice.below(looked.length + 1)]?.stream;
      return stream === undefined ? null : { stream, event: (of) => makeEvent('SettingRevoked', { by }, of) };
    }
    case 6:
    case 7: {
      const approval = [...(standing?.approvals.keys() ?? [])].at(-1);
      if (approval === undefined) return null;
      const data = { approval, by, because: 'revoked' as const };
      return { stream: streamOf.call(call), event: (of) => makeEvent('ApprovalRevoked', data, of) };
    }
    case 8:
    case 9: {
      const asked = standing?.questions.findLast(({ open }) => open.length > 0);
      const slot = asked?.open[0];
      if (asked === undefined || slot === undefined) return null;
      const declined = asked.data.about === 'approval';
      const answers = declined ? [] : [{ slot, value: { plain: 'C3' }, none: false, candidate: null }];
      const data = { question: asked.id, by, answers, declined };
      return { stream: streamOf.call(call), event: (of) => makeEvent('AnswerReceived', data, of) };
    }
    case 10:
      return 'a long time';
    default: {
      const data = { by: null, because: 'timed_out' as const };
      return {
        stream: streamOf.request(request.id),
        event: (of) => makeEvent('RequestAbandoned', data, of),
      };
    }
  }
}
