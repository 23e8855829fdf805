import type { Json } from '../../src/events/json.ts';
import type { RunInput } from '../../src/gate/types.ts';
import type { Dice } from './dice.ts';

/** Mostly what the first words ask for, with whatever else a call may carry. */
export function proposalOf(dice: Dice): RunInput['proposal'] {
  if (dice.rarely(12)) return dice.rarely(2) ? null : { received: { plain: '{"from":' }, prepared: null };
  const args: Record<string, Json> = {
    from: dice.pick(['A1', 'A1', 'A1', 'A1', 'A1', 'B2', 'a1']),
    amount: dice.pick<Json>([100, 100, 100, 100, 50, 7, '100', 1001]),
  };
  if (!dice.rarely(4)) args.to = dice.pick<Json>(['B2', 'B2', 'B2', 'B2', 'C3', 'S5', 'D4', null]);
  if (dice.rarely(9)) args.note = dice.pick(['', 'gift']);
  if (dice.rarely(9)) args.day = dice.pick(['2024-05-20', '2024-05-21']);
  if (dice.rarely(12)) args.at = '2024-05-20T10:00:00Z';
  if (dice.rarely(12)) args.link = 'https://pay.example/a?b=1';
  if (dice.rarely(9)) args.express = dice.rarely(2);
  if (dice.rarely(9)) args.kind = dice.pick(['fast', 'slow', 'odd']);
  if (dice.rarely(8)) args.count = dice.pick([2, 3]);
  if (dice.rarely(10)) args.mode = dice.pick(['live', 'dead']);
  if (dice.rarely(4)) {
    args.lines = dice.pick<Json>([
      [
        { id: 'X1', qty: 2 },
        { id: 'X2', qty: 3 },
      ],
      [{ id: 'X1', qty: 2 }],
      [
        { id: 'X1', qty: 3 },
        { id: 'X2', qty: 2 },
      ],
      [],
      [{ id: 'X1' }, { qty: 3 }],
      [
        { id: 'X1', qty: 2 },
        { id: 'X2', qty: 3 },
        { id: 'X3', qty: 1 },
      ],
    ]);
  }
  if (dice.rarely(6)) {
    args.olds = ['X1', 'X2'];
    args.news = dice.pick<Json>([['Q1', 'Q2'], ['Q2', 'Q1'], ['Q1']]);
  }
  if (dice.rarely(8)) args.card = dice.pick<Json>([{ id: 'C3' }, {}, { name: 'Ann' }]);
  if (dice.rarely(15)) args.odd = 1;
  if (dice.rarely(15)) delete args.amount;
  return { received: null, prepared: { plain: args } };
}
