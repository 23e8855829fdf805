import { encode } from '../events/canonical.ts';
import type { Lookup, LookupRequest } from '../events/lookup.ts';
import type { Segment } from '../events/segment.ts';
import { type Driven, locate, type RunInput, step } from '../gate/index.ts';
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
  const tried = new Set<string>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const driven = await inRounds(run, world, answers);
    const open = driven.lookups.filter(isOpen).map(({ request }) => request);
    const fresh = open.filter((request) => !tried.has(encode(request)));
    const measured = fresh.length === 0 ? [] : await world.measure(run, fresh);
    let more = false;
    for (const { request, found } of measured) {
      tried.add(encode(request));
      if (found === null) continue;
      more = true;
      if ('segment' in found) added.push(found.segment);
      else answers.set(encode(request), found.lookup);
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

async function inRounds(run: RunInput, world: World, answers: Map<string, Lookup>): Promise<Driven> {
  const lookups = new Map<string, Lookup>();
  for (;;) {
    const next = step(run, [...lookups.values()]);
    if ('verdict' in next) {
      const asked = next.asked.map((request) => lookups.get(encode(request)));
      return { verdict: next.verdict, lookups: asked.filter((lookup) => lookup !== undefined) };
    }
    const answered = await Promise.all(next.need.map((request) => answer(run, world, answers, request)));
    for (const lookup of answered) lookups.set(encode(lookup.request), lookup);
  }
}

async function answer(
  run: RunInput,
  world: World,
  answers: Map<string, Lookup>,
  request: LookupRequest,
): Promise<Lookup> {
  const id = encode(request);
  const known = answers.get(id);
  if (known !== undefined) return known;
  if (request.source !== 'instruction') return locate(run, request);
  const claimed = await world.claim(run, request);
  if (claimed === null) return locate(run, request);
  answers.set(id, claimed);
  return claimed;
}
