import fc from 'fast-check';
import type { Checklist } from '../../src/declarations/checklist.ts';
import { encode } from '../../src/events/canonical.ts';
import { digestOf } from '../../src/events/digest.ts';
import type { Json } from '../../src/events/json.ts';
import type { Claim, Lookup, LookupRequest, Outcome } from '../../src/events/lookup.ts';
import type { Place } from '../../src/events/place.ts';
import type { Segment } from '../../src/events/segment.ts';
import { locate } from '../../src/gate/index.ts';
import type { Entry, RunInput } from '../../src/gate/types.ts';
import { providerChecklist, systemChecklist, toolOf, userChecklist } from './declared.ts';
import { type Dice, diceOf, hashOf } from './dice.ts';

/** A whole run, and how its lookups are answered: by the run itself or, now and then, by a hook that can't be trusted. */
export interface World {
  readonly run: RunInput;
  /** null: every answer is the locator's. */
  readonly hostility: { readonly seed: number; readonly oneIn: number } | null;
}

/** Worlds for the laws; a list of numbers each, so that a failure shrinks to the choices that matter. */
export const worlds: fc.Arbitrary<World> = fc
  .array(fc.noBias(fc.nat(9_999)), { minLength: 150, maxLength: 260 })
  .map(worldOf);

/** Answers one request in this world: always the same way. */
export function answerIn(world: World, run: RunInput = world.run): (request: LookupRequest) => Lookup {
  return (request) => {
    const { hostility } = world;
    if (hostility !== null) {
      const roll = hashOf(encode(request), hostility.seed);
      if (roll % hostility.oneIn === 0) {
        return { request, by: 'hook', outcome: hostileOutcome(run, diceOf(rolls(roll))) };
      }
    }
    return locate(run, request);
  };
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
          : dice.pick(['/value', '', '/name']);
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
];

const AGENT: readonly [string, ...string[]] = [
  'I will send 100 from A1 to B2. OK?',
  'Shall I send 50 to C3, fast?',
  'X1: 2 pieces, X2: 3 pieces. Right?',
  'I can move 100 to D4 on 2024-05-20.',
  'How can I help?',
];

function segmentsOf(dice: Dice): Segment[] {
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

function text(author: Segment['author'], typed: boolean, plain: string, at: string | null): Segment {
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

function proposalOf(dice: Dice): RunInput['proposal'] {
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

function entriesOf(dice: Dice, digest: string): Entry[] {
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

function entryOf(dice: Dice, digest: string): Entry {
  switch (dice.below(10)) {
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
        attested_by: dice.pick(['log', 'caller']),
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
        ? { kind: 'trigger', timing: dice.pick(['scheduled', 'conditional', 'recurring']) }
        : { kind: 'match', approved: dice.rarely(2) };
    default:
      return { kind: 'notice', text: dice.pick(['A fee applies.', 'Another.']) };
  }
}

const GATE = digestOf('the gate of these tests');

export function worldOf(numbers: readonly number[]): World {
  const dice = diceOf(numbers);
  const hostility = dice.rarely(3) ? { seed: dice.below(10_000), oneIn: 2 + dice.below(5) } : null;
  const tool = toolOf(dice);
  const tool_digest = digestOf(tool);
  const bodies: Checklist[] = [systemChecklist(dice)];
  const segments = segmentsOf(dice);
  const proposal = proposalOf(dice);
  const entries = entriesOf(dice, tool_digest);
  if (dice.rarely(4)) bodies.push(providerChecklist(dice));
  if (dice.rarely(4)) bodies.push(userChecklist(dice));
  const run: RunInput = {
    gate: GATE,
    ruleset: dice.rarely(3) ? 'inherit' : 'standard',
    phase: dice.rarely(4) ? 'at_instruction' : 'at_trigger',
    now: dice.pick(['2024-05-20T09:00:00Z', null, '2024-05-22T09:00:00Z']),
    attempts: { intent: dice.below(4), tool: dice.below(4) },
    proposal,
    tool,
    tool_digest,
    checklists: bodies.map((body) => ({ digest: digestOf(body), body })),
    unsound: dice.rarely(30) ? [{ digest: digestOf('unreadable'), declared_by: 'provider' }] : [],
    action_key: dice.rarely(30) ? 'failed' : 'ok',
    segments,
    request_from: dice.rarely(6) ? 1 : 0,
    entries,
  };
  return { run, hostility };
}
