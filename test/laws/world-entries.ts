import { digestOf } from '../../src/events/digest.ts';
import type { Json } from '../../src/events/json.ts';
import type { Entry } from '../../src/gate/types.ts';
import type { Dice } from './dice.ts';

/** Answers, approvals, settings and what else the log may hold, true or not. */
export function entriesOf(dice: Dice, digest: string): Entry[] {
  const out: Entry[] = [];
  for (let left = dice.below(6); left > 0; left--) out.push(entryOf(dice, digest));
  return out;
}

const SHOWN: readonly [[string, Json], ...[string, Json][]] = [
  ['/amount', 100],
  ['/to', 'B2'],
  ['/from', 'A1'],
  ['/amount', 50],
  ['/note', 'gift'],
  ['final', true],
  ['/lines/0/id', 'X1'],
  ['/lines/0/qty', 2],
  ['/lines/1/id', 'X2'],
  ['/lines/1/qty', 3],
];

function shown(dice: Dice): { slot: string; value: { plain: Json } }[] {
  if (dice.rarely(4)) return SHOWN.slice(5).map(([slot, value]) => ({ slot, value: { plain: value } }));
  return Array.from({ length: 1 + dice.below(3) }, () => {
    const [slot, value] = dice.pick(SHOWN);
    return { slot, value: { plain: value } };
  });
}

/** A standing range; `now` only ends one, since time that passes must settle nothing (law 11). */
export function rangeOf(dice: Dice, digest: string): { tool: string; slot: string; within: string } {
  return {
    tool: dice.rarely(6) ? digestOf('another') : digest,
    slot: dice.rarely(4) ? 'sure' : 'final',
    within: dice.pick([
      'true',
      'args.amount <= 100',
      'args.amount <= 100 && args.from == "A1"',
      'args.to == "B2"',
      'args.to in ["B2", "C3"]',
      'args.amount < 10',
      'seconds(now) < seconds("2024-05-21T00:00:00Z")',
      'args.amount <',
      'account.limit > 0',
      'args.amount',
    ]),
  };
}

function entryOf(dice: Dice, digest: string): Entry {
  switch (dice.below(11)) {
    case 0:
    case 1:
    case 2: {
      const [slot, value] = dice.pick(SHOWN);
      const none = dice.rarely(5);
      return {
        kind: 'answer',
        slot,
        value: { plain: none ? null : dice.pick<Json>([value, value, 'C3', 100, true]) },
        none,
        candidate: dice.rarely(5) ? { origin: dice.pick(['instruction', 'measured_data']) } : null,
        ...(dice.rarely(3) ? { tool: dice.rarely(3) ? digestOf('another') : digest } : {}),
      };
    }
    case 3:
    case 4:
      return {
        kind: 'approval',
        tool: dice.rarely(5) ? digestOf('another') : digest,
        shown: shown(dice),
        declined: dice.rarely(3),
      };
    case 5: {
      const name = dice.pick(['from', 'usual', 'express', 'note']);
      const value = { from: 'A1', usual: 100, express: true, note: 'gift' }[name] as Json;
      const none = dice.rarely(4);
      return {
        kind: 'setting',
        name,
        value: { plain: none ? null : dice.pick<Json>([value, value, 'B2', 50]) },
        none,
        attested_by: dice.pick(['log', 'log', 'caller']),
        ...(dice.rarely(2) ? { satisfies: [rangeOf(dice, digest)] } : {}),
      };
    }
    case 6:
      return {
        kind: 'baseline',
        slots: shown(dice).map((item) => ({
          ...item,
          origin: dice.pick([null, 'instruction', 'user_answer'] as const),
        })),
      };
    case 7:
      return {
        kind: 'tool_name',
        word: dice.pick(['the big one', 'move']),
        tool: dice.pick(['send', 'close', 'other']),
      };
    case 8:
      return dice.rarely(3)
        ? {
            kind: 'trigger',
            timing: dice.pick(['scheduled', 'conditional', 'recurring']),
            ...(dice.rarely(2) ? { from: dice.below(8) } : {}),
          }
        : { kind: 'match', approved: dice.rarely(2), ...(dice.rarely(5) ? { failed: true as const } : {}) };
    case 9:
      return {
        kind: 'timing',
        timing: dice.pick([null, 'immediate', 'immediate', 'immediate', 'scheduled'] as const),
        ...(dice.rarely(6) ? { failed: true as const } : {}),
      };
    default:
      return { kind: 'notice', text: dice.pick(['A fee applies.', 'Another.']) };
  }
}
