import fc from 'fast-check';
import type { Checklist } from '../../src/declarations/checklist.ts';
import { digestOf } from '../../src/events/digest.ts';
import type { Lookup, LookupRequest } from '../../src/events/lookup.ts';
import { locate } from '../../src/gate/index.ts';
import type { RunInput } from '../../src/gate/types.ts';
import { providerChecklist, systemChecklist, userChecklist } from './declared.ts';
import { toolOf } from './declared-tool.ts';
import { type Dice, diceOf } from './dice.ts';
import { honestParts, type Parts } from './honest-parts.ts';
import { entriesOf } from './world-entries.ts';
import { type Hostility, hostileAnswer } from './world-hooks.ts';
import { proposalOf } from './world-proposal.ts';
import { segmentsOf } from './world-segments.ts';

/** A whole run, and how its lookups are answered: by the run itself or, now and then, by a hook that can't be trusted. */
export interface World {
  readonly run: RunInput;
  /** null: every answer is the locator's. */
  readonly hostility: Hostility | null;
}

/** Worlds for the laws; a list of numbers each, so that a failure shrinks to the choices that matter. */
export const worlds: fc.Arbitrary<World> = fc
  .array(fc.noBias(fc.nat(9_999)), { minLength: 150, maxLength: 260 })
  .map(worldOf);

/** Answers one request in this world: always the same way. */
export function answerIn(world: World, run: RunInput = world.run): (request: LookupRequest) => Lookup {
  return (request) => {
    const outcome = world.hostility === null ? null : hostileAnswer(world.hostility, run, request);
    return outcome === null ? locate(run, request) : { request, by: 'hook', outcome };
  };
}

const NOW = '2024-05-20T09:00:00Z';
const GATE = digestOf('the gate of these tests');

/** What was said, sent and settled, where nobody need mean well. */
function anyParts(dice: Dice, digest: string): Parts {
  return {
    segments: segmentsOf(dice),
    proposal: proposalOf(dice),
    entries: entriesOf(dice, digest),
    ruleset: dice.rarely(3) ? 'inherit' : 'standard',
  };
}

/** The world that these choices make. */
export function worldOf(numbers: readonly number[]): World {
  const dice = diceOf(numbers);
  // Three worlds of five are of good faith, or hardly anything would ever be confirmed whole.
  const honest = dice.below(5) > 1;
  const hostility = dice.rarely(honest ? 6 : 2)
    ? { seed: dice.below(10_000), oneIn: 2 + dice.below(5) }
    : null;
  const tool = toolOf(dice);
  const tool_digest = digestOf(tool);
  const bodies: Checklist[] = [systemChecklist(dice, honest)];
  const parts = honest ? honestParts(dice, tool_digest) : anyParts(dice, tool_digest);
  if (dice.rarely(honest ? 8 : 4)) bodies.push(providerChecklist(dice));
  if (dice.rarely(honest ? 8 : 4)) bodies.push(userChecklist(dice));
  const run: RunInput = {
    ...parts,
    gate: GATE,
    phase: dice.rarely(4) ? 'at_instruction' : 'at_trigger',
    now: dice.pick([NOW, honest ? NOW : null, '2024-05-22T09:00:00Z', honest ? NOW : null]),
    attempts: { intent: dice.below(4), tool: dice.below(4) },
    tool,
    tool_digest,
    checklists: bodies.map((body) => ({ digest: digestOf(body), body })),
    unsound: dice.rarely(30) ? [{ digest: digestOf('unreadable'), declared_by: 'provider' }] : [],
    action_key: dice.rarely(30) ? 'failed' : 'ok',
    request_from: !honest && dice.rarely(6) ? 1 : 0,
  };
  return { run, hostility };
}
