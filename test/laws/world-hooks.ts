import { encode } from '../../src/events/canonical.ts';
import type { Claim, LookupRequest, Outcome } from '../../src/events/lookup.ts';
import type { Place } from '../../src/events/place.ts';
import type { RunInput } from '../../src/gate/types.ts';
import { type Dice, diceOf, hashOf } from './dice.ts';

/** Hooks that can't be trusted: one request in so many is answered by one. */
export interface Hostility {
  readonly seed: number;
  readonly oneIn: number;
}

/** What a hostile hook says to a request, the same each time; null where the request is left to the locator. */
export function hostileAnswer(
  { seed, oneIn }: Hostility,
  run: RunInput,
  request: LookupRequest,
): Outcome | null {
  const roll = hashOf(encode(request), seed);
  return roll % oneIn === 0 ? hostileOutcome(run, diceOf(rolls(roll))) : null;
}

function rolls(seed: number): number[] {
  return Array.from({ length: 40 }, (_, index) => hashOf(`roll ${index}`, seed) % 10_000);
}

/** Anything that a broken or lying hook can say. */
function hostileOutcome(run: RunInput, dice: Dice): Outcome {
  switch (dice.below(9)) {
    case 0:
      return { said: 'absent' };
    case 1:
      return { said: 'no_place' };
    case 2:
      return { said: 'unfinished' };
    case 3:
      return { said: 'failed', code: 'hook/timeout' };
    case 4:
      return { said: 'nothing', place: anyPlace(run, dice) };
    default: {
      const first: Claim = anyClaim(run, dice);
      const claims: Claim[] = dice.rarely(3) ? [first, anyClaim(run, dice)] : [first];
      return { said: 'claim', claims, also: claims.length };
    }
  }
}

function anyClaim(run: RunInput, dice: Dice): Claim {
  const at = anyPlace(run, dice);
  return dice.rarely(4) ? { at, by: anyPlace(run, dice) } : { at };
}

/** Mostly whole words and true pointers, so that a wrong claim is wrong only in whom it trusts. */
function anyPlace(run: RunInput, dice: Dice): Place {
  const segment = dice.below(run.segments.length + 1);
  const body = run.segments[segment]?.body;
  const plain = body !== undefined && 'plain' in body ? body.plain : null;
  const kind = dice.below(4);
  if (kind === 3 && run.entries.length > 0) {
    const entry = dice.below(run.entries.length);
    const kindOf = run.entries[entry]?.kind;
    const pointer =
      kindOf === 'approval'
        ? dice.pick(['/shown/0/value', '/shown/1/value', '/declined', ''])
        : kindOf === 'baseline'
          ? dice.pick(['/slots/0/value', '/slots/1/value', '/slots/9/value'])
          : dice.pick(['/value', '/satisfies/0/within', '', '/name']);
    return { in: 'entry', entry, pointer };
  }
  if (kind === 2 || (typeof plain !== 'string' && kind > 0)) {
    const pointer = dice.pick([
      '/id',
      '',
      '/items/0/id',
      '/items/1',
      '/payees/0/iban',
      '/savings',
      '/limit',
      '/nope',
    ]);
    return { in: 'json', segment, of: dice.pick(['result', 'arguments']), pointer };
  }
  const text = typeof plain === 'string' ? plain : '';
  if (kind === 1) {
    const start = dice.below(text.length + 3);
    return { in: 'text', segment, start, end: start + dice.below(8) };
  }
  const words = [...text.matchAll(/[^ .,\n]+/g)];
  const word = words[dice.below(words.length === 0 ? 1 : words.length)];
  const start = word?.index ?? 0;
  return { in: 'text', segment, start, end: start + (word?.[0].length ?? 1) };
}
