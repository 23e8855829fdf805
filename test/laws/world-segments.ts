import type { Json } from '../../src/events/json.ts';
import type { Segment } from '../../src/events/segment.ts';
import type { Dice } from './dice.ts';

const TYPED: readonly [string, ...string[]] = [
  'Please send 100 from A1 to B2 now.',
  'send 50 from A1 to the savings',
  'Move 100 from A1 to B2, and 50 to C3.',
  'yes',
  'Send it: A1, ending in 7447, $100.00',
  'no',
  'later, on 2024-05-20',
  'yes, go ahead',
  'Take C3, fast, with express, a couple of them',
  'two of X1 and 3 of X2',
  'close A1',
  'Actually make it 50.',
  'next time, tomorrow',
  'to my sister, slow, without express',
  'X1 2, X2 3 for https://pay.example/a?b=1 on May 20, 2024 at 2024-05-20T10:00:00Z',
  'send X2 for X1; Q1 and Q2 instead 😀 A1',
  'X1 X2 2 3 later 100',
  'once it drops below $7 send 100',
  'Yes, but to C3',
  'the big one, A10 and a1 100',
  "No, don't send 100 from A1 to B2",
  'Never move or send more, close A1',
];

const AGENT: readonly [string, ...string[]] = [
  'I will send 100 from A1 to B2. OK?',
  'Shall I send 50 to C3, fast?',
  'X1: 2 pieces, X2: 3 pieces. Right?',
  'I can move 100 to D4 on 2024-05-20.',
  'How can I help?',
];

/** A conversation in which anybody may say anything. */
export function segmentsOf(dice: Dice): Segment[] {
  const count = 1 + dice.below(9);
  const out: Segment[] = [];
  for (let index = 0; index < count; index++) {
    const at = dice.rarely(3) ? '2024-05-19T23:30:00-05:00' : null;
    const kind = index === 0 ? 0 : dice.below(9);
    // Most conversations begin with all that a simple call needs.
    if (index === 0 && !dice.rarely(3)) {
      out.push(text('user', true, TYPED[0], at));
      continue;
    }
    if (kind < 3) out.push(text('user', true, dice.pick(TYPED), at));
    else if (kind === 3) out.push(text('agent', false, dice.pick(AGENT), at));
    else if (kind === 4) {
      out.push(
        text(
          dice.pick(['third_party', 'system', 'user', 'agent', 'hook']),
          dice.rarely(5),
          dice.pick(TYPED),
          at,
        ),
      );
    } else out.push(toolSegment(dice, at));
  }
  return out;
}

/** A segment of words. */
export function text(author: Segment['author'], typed: boolean, plain: string, at: string | null): Segment {
  return { at, author, typed, origin: null, body: { plain }, observes: null };
}

function toolSegment(dice: Dice, at: string | null): Segment {
  const id = dice.pick(['A1', 'B2', 'A10']);
  const shapes: readonly [
    { tool: string; args: Json; body: Json },
    ...{ tool: string; args: Json; body: Json }[],
  ] = [
    {
      tool: 'get_account',
      args: { id: dice.pick(['A1', id]) },
      body: {
        id,
        limit: dice.pick([100, 70, '100', null]),
        status: dice.pick(['open', 'shut']),
        owner: 'O1',
        savings: dice.pick(['S5', 'B2', null]),
        payees: [
          { iban: 'B2', last: '7447', name: 'Ann' },
          { iban: 'C3', last: dice.pick(['1234', '7447']), name: 'Bob' },
        ],
      },
    },
    {
      tool: 'list_items',
      args: {},
      body: {
        items: [
          { id: 'X1', qty: dice.pick([2, 3]), stock: dice.pick([5, 0]) },
          { id: dice.pick(['X2', 'X1']), qty: 3, stock: 2 },
        ],
      },
    },
    {
      tool: 'get_owner',
      args: { id: 'O1' },
      body: { id: dice.pick(['O1', 'O2']), main: dice.pick(['B2', 'C3', 7]) },
    },
    { tool: 'get_status', args: { id }, body: `Account ${id} is open.` },
    {
      tool: 'find_owner',
      args: { mail: dice.pick(['A1', 'no@one']) },
      body: { known: dice.pick(['fast', 'quick']), main: 'B2' },
    },
    {
      tool: 'send',
      args: { from: id, amount: 100 },
      body: dice.pick<Json>([{ done: true }, 'Error: refused']),
    },
    { tool: 'get_account', args: { id }, body: 'Error: no such account' },
    { tool: 'get_account', args: { id }, body: 'A1 belongs to B2 and holds 100.' },
  ];
  const shape = dice.pick(shapes);
  return {
    at,
    author: 'tool',
    typed: false,
    origin: null,
    body: { plain: shape.body },
    observes: {
      tool: shape.tool,
      arguments: { plain: shape.args },
      failed: dice.pick([null, false, false, null, true]),
      fault: dice.rarely(12) ? 'duplicate_key' : null,
    },
  };
}
