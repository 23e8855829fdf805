import type { Json } from '../../src/events/json.ts';
import type { Segment } from '../../src/events/segment.ts';
import type { Entry, RunInput } from '../../src/gate/types.ts';
import type { Dice } from './dice.ts';
import { entriesOf, rangeOf } from './world-entries.ts';
import { segmentsOf, text } from './world-segments.ts';

/** What was said, sent and settled in a run. */
export type Parts = Pick<RunInput, 'segments' | 'proposal' | 'entries' | 'ruleset'>;

interface Wish {
  readonly slot: string;
  readonly value: Json;
  /** How the user says it. */
  readonly words: string;
}

const ALWAYS: readonly Wish[] = [
  { slot: '/from', value: 'A1', words: 'from A1' },
  { slot: '/amount', value: 100, words: '$100' },
];

const OFTEN: Wish = { slot: '/to', value: 'B2', words: 'to B2' };

const SELDOM: readonly Wish[] = [
  { slot: '/note', value: 'gift', words: 'with the note gift' },
  { slot: '/day', value: '2024-05-20', words: 'on 2024-05-20' },
  { slot: '/at', value: '2024-05-20T10:00:00Z', words: 'at 2024-05-20T10:00:00Z' },
  { slot: '/link', value: 'https://pay.example/a?b=1', words: 'for https://pay.example/a?b=1' },
  { slot: '/express', value: true, words: 'with express' },
  { slot: '/kind', value: 'fast', words: 'fast' },
  { slot: '/count', value: 2, words: 'a couple of them' },
];

const LINES: readonly Wish[] = [
  { slot: '/lines/0/id', value: 'X1', words: ': X1' },
  { slot: '/lines/0/qty', value: 2, words: '2' },
];

/** Names of the settings that the system's slots may be filled from. */
const SETTINGS: Readonly<Record<string, string>> = {
  '/from': 'from',
  '/amount': 'usual',
  '/express': 'express',
};

/**
 * A user who says what is wanted, an agent that sends just this, and tools that are read before. Each value is typed or,
 * now and then, answered, approved, settled earlier, left to be measured, or taken over; seldom something gets in between.
 */
export function honestParts(dice: Dice, digest: string): Parts {
  // What nobody says of where it goes, the tools may say.
  const unsaid = dice.rarely(8) ? { ...OFTEN, value: dice.pick<Json>(['B2', null]) } : null;
  const wishes = [...ALWAYS];
  if (unsaid !== null || !dice.rarely(5)) wishes.push(unsaid ?? OFTEN);
  for (const wish of SELDOM) if (dice.rarely(9)) wishes.push(wish);
  if (dice.rarely(8)) wishes.push(...LINES);
  const typed: string[] = [];
  const entries: Entry[] = [];
  let inherits = false;
  for (const wish of wishes) {
    const { slot } = wish;
    const value = { plain: wish.value };
    switch (wish === unsaid ? 0 : dice.below(24)) {
      case 23:
        entries.push({ kind: 'answer', slot, value, none: false, candidate: null });
        break;
      case 22:
        entries.push({ kind: 'approval', tool: digest, shown: [{ slot, value }], declined: false });
        break;
      case 21:
        entries.push({
          kind: 'setting',
          name: SETTINGS[slot] ?? 'note',
          value: dice.rarely(4) ? { plain: ['A1'] } : value,
          none: false,
          attested_by: 'log',
        });
        break;
      case 20:
        entries.push({ kind: 'baseline', slots: [{ slot, value, origin: 'instruction' }] });
        inherits = true;
        break;
      case 0:
        // Nobody says it: it is left to what measures.
        break;
      default:
        typed.push(wish.words);
    }
  }
  if (dice.rarely(6)) entries.push(...entriesOf(dice, digest));
  if (dice.rarely(3))
    entries.push({
      kind: 'setting',
      name: 'standing',
      value: { plain: 'It can not be undone.' },
      none: false,
      attested_by: 'log',
      satisfies: [rangeOf(dice, digest), rangeOf(dice, digest)],
    });
  const first = text('user', true, `Please send ${typed.join(' ')} now.`, null);
  const more = dice.rarely(6) ? segmentsOf(dice).slice(1) : [];
  return {
    segments: [first, ...measured(dice, unsaid), ...more],
    proposal: { received: null, prepared: { plain: argumentsOf(wishes) } },
    entries,
    ruleset: inherits ? 'inherit' : 'standard',
  };
}

function argumentsOf(wishes: readonly Wish[]): Json {
  const plain = wishes.filter(({ slot }) => !slot.startsWith('/lines'));
  const args: Record<string, Json> = Object.fromEntries(
    plain.map(({ slot, value }) => [slot.slice(1), value]),
  );
  if (plain.length < wishes.length) args.lines = [{ id: 'X1', qty: 2 }];
  return args;
}

/** The readings that a careful agent makes; now and then one is missing, odd, or older than a write. */
function measured(dice: Dice, unsaid: Wish | null): Segment[] {
  const to =
    unsaid === null ? (['B2'] as const) : ([unsaid.value, unsaid.value, 'B2', null, ['C3'], ['C3']] as const);
  const segments: Segment[] = [];
  if (!dice.rarely(8)) {
    const account = {
      id: 'A1',
      limit: dice.rarely(12) ? 70 : 500,
      status: 'open',
      owner: 'O1',
      savings: 'S5',
      payees: [{ iban: dice.pick<Json>(to), last: '7447', name: 'Ann' }],
    };
    segments.push(reading('get_account', { id: 'A1' }, account));
    if (unsaid !== null || dice.rarely(3)) {
      const owner = { id: 'O1', main: dice.pick<Json>(to) };
      segments.push(reading('get_owner', { id: 'O1' }, owner));
    }
  }
  if (!dice.rarely(3))
    segments.push(
      reading('list_items', {}, { items: [{ id: 'X1', qty: dice.rarely(6) ? 'many' : 2, stock: 5 }] }),
    );
  if (dice.rarely(unsaid === null ? 10 : 2))
    segments.push(reading('send', { from: 'A1', amount: 100 }, { done: true }));
  return segments;
}

function reading(tool: string, args: Json, plain: Json): Segment {
  return {
    at: null,
    author: 'tool',
    typed: false,
    origin: null,
    body: { plain },
    observes: { tool, arguments: { plain: args }, failed: false, fault: null },
  };
}
