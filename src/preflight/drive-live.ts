import type { Lookup, LookupRequest } from '../events/lookup.ts';
import type { Segment } from '../events/segment.ts';
import { answeringBoard, idOf } from '../gate/board.ts';
import { type Driven, locate, type RunInput } from '../gate/index.ts';
import { stepOn } from '../gate/step.ts';
import type { World } from './world.ts';

/** A run as it was judged: with the segments that hooks added, at the end of its conversation. */
export interface LiveRun {
  readonly run: RunInput;
  readonly driven: Driven;
  readonly added: readonly Segment[];
}

/** More rounds than facts that wait for one another is a fault in a declaration, not work. */
const MOST_ROUNDS = 64;

/**
 * The asynchronous driver. What the run itself holds is answered by the gate's own locator; a fact that it can't answer goes to
 * the hooks. What a hook measured becomes a segment, and the gate is driven anew over the longer conversation: the record is then
 * that of a run which had it from the start, whatever the order in which hooks came back.
 */
export async function driveLive(start: RunInput, world: World): Promise<LiveRun> {
  let run = start;
  const added: Segment[] = [];
  const answers = new Map<string, Lookup>();
  const located = new Set<string>();
  const nothing = new Set<string>();
  const tried = new Set<string>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const driven = await inRounds(run, world, { answers, located, nothing });
    const open = driven.lookups.filter(isOpen).map(({ request }) => request);
    const fresh = open.filter((request) => !tried.has(idOf(request)));
    const measured = fresh.length === 0 ? [] : await world.measure(run, fresh);
    let more = false;
    for (const { request, found } of measured) {
      tried.add(idOf(request));
      if (found === null) continue;
      more = true;
      if ('segment' in found) added.push(found.segment);
      else if (found.lookup.outcome.said === 'absent') nothing.add(idOf(request));
      else answers.set(idOf(request), found.lookup);
    }
    if (!more) return { run, driven, added };
    run = { ...run, segments: [...start.segments, ...added] };
  }
  throw new Error('The hooks of a run never came to rest.');
}

/** A fact that the conversation does not hold, or no longer. */
function isOpen({ request, outcome }: Lookup): boolean {
  return 'fact' in request.subject && (outcome.said === 'absent' || outcome.said === 'unfinished');
}

/** What is known of a run's lookups so far: said by hooks, or left to the locator by them. Each hook is asked once. */
interface Known {
  readonly answers: Map<string, Lookup>;
  readonly located: Set<string>;
  /** Facts that a hook was asked for and had nothing to say of: that counts where the conversation holds nothing either. */
  readonly nothing: ReadonlySet<string>;
}

/** What a hook may have words for is asked of it side by side; all else is answered while the gate asks. */
async function inRounds(run: RunInput, world: World, { answers, located, nothing }: Known): Promise<Driven> {
  const answer = (request: LookupRequest): Lookup | undefined => {
    const id = idOf(request);
    const known = answers.get(id);
    if (known !== undefined) return known;
    const hooks = world.claim !== undefined && request.source === 'instruction' && !located.has(id);
    if (hooks) return undefined;
    const found = locate(run, request);
    return nothing.has(id) && found.outcome.said === 'absent' ? { ...found, by: 'hook' } : found;
  };
  for (;;) {
    const asking = answeringBoard(answer);
    const next = stepOn(run, asking);
    const lookups = asking.answered();
    const had = new Set(lookups.map(({ request }) => idOf(request)));
    const open = asking.asked().filter((request) => !had.has(idOf(request)));
    if ('verdict' in next && open.length === 0) return { verdict: next.verdict, lookups };
    const claimed = await Promise.all(
      open.map(async (request) => (await world.claim?.(run, request)) ?? null),
    );
    claimed.forEach((lookup, index) => {
      const id = idOf(open[index] as LookupRequest);
      if (lookup === null) located.add(id);
      else answers.set(id, lookup);
    });
  }
}
