import { describe, expect, test } from 'vitest';
import { suggest } from '../../src/suggest/index.ts';
import { BOATS } from './boats.ts';
import { argument, drafted, type Line, talks } from './talk.ts';

describe('where an argument’s values were found', () => {
  const draft = drafted(...BOATS);

  test('what the user typed is suggested as typed, by the strictest reader that finds it, and needs no other source', () => {
    const { found, suggestion, n } = argument(draft, 'relocate_boat', '/harbour');
    expect([n, found.typed]).toEqual([6, 6]);
    expect(suggestion).toMatchObject({ source: 'typed', reader: 'text', measured: [] });
  });

  test('one of several in a lookup is suggested as measured there, as a member, with a fact keyed by what was said', () => {
    const { suggestion } = argument(draft, 'relocate_boat', '/boat_id');
    expect(suggestion).toMatchObject({
      source: 'measured',
      select: 'member',
      measured: [{ ref: 'member#/boats/*/boat_id', tool: 'get_member', path: '/boats/*/boat_id', n: 6 }],
    });
    expect(draft.facts).toEqual([
      expect.objectContaining({
        name: 'member',
        take: 'latest',
        measured_by: expect.arrayContaining([
          { tool: 'get_member', match: { 'result/member_id': '/member_id' }, n: 6, of: 6 },
        ]),
      }),
    ]);
  });

  test('a result that only repeats what it was asked for is counted as an echo and measures nothing', () => {
    const { results, suggestion } = argument(draft, 'relocate_boat', '/member_id');
    expect(results).toContainEqual(expect.objectContaining({ path: '/member_id', n: 6, echo: 6 }));
    expect(suggestion.measured).toEqual([]);
  });

  test('what the agent showed and the user answered with yes is suggested as approved', () => {
    expect(argument(draft, 'relocate_boat', '/price').suggestion).toMatchObject({
      source: 'approved',
      reader: 'money',
    });
  });

  test('a number that stood nowhere is suggested as computed', () => {
    const { found, suggestion } = argument(draft, 'relocate_boat', '/tax');
    expect(found.nowhere).toBe(6);
    expect(suggestion.source).toBe('computed');
  });

  test('a few words that many conversations use become a reader with a phrase for each', () => {
    expect(argument(draft, 'relocate_boat', '/cover').suggestion).toMatchObject({
      source: 'typed',
      reader: 'cover',
    });
    expect(draft.readers).toEqual([
      {
        name: 'cover',
        values: [
          { value: 'full_cover', n: 3, words: ['full cover'] },
          { value: 'third_party', n: 3, words: ['third party'] },
        ],
      },
    ]);
  });

  test('three examples say where they come from, and none is kept where none is wanted', () => {
    const { examples } = argument(draft, 'relocate_boat', '/boat_id');
    expect(examples).toHaveLength(3);
    expect(examples[0]).toMatchObject({
      line: 1,
      message: 6,
      value: 'B00-770',
      found: 'get_member /boats/*/boat_id, message 3',
    });
    const without = suggest(talks(...BOATS), [], { examples: false });
    expect(without.tools.flatMap((tool) => tool.arguments.flatMap((one) => one.examples))).toEqual([]);
  });

  test('a tool whose name reads is a candidate for reversible, with how many values it gave', () => {
    expect(draft.tools.map(({ tool, looks_like_read }) => [tool, looks_like_read])).toEqual([
      ['get_member', true],
      ['relocate_boat', false],
    ]);
    expect(draft.tools[0]?.values_given).toBe(6);
  });

  test('the same conversations give the same draft, byte for byte', () => {
    expect(JSON.stringify(drafted(...BOATS)).replaceAll(/grounds-suggest-[^/]+/g, '')).toBe(
      JSON.stringify(draft).replaceAll(/grounds-suggest-[^/]+/g, ''),
    );
  });
});

describe('a value that all conversations have', () => {
  const talk = (unit: string, account: string): Line[] => [
    { user: 'Weigh it' },
    { call: 'weigh', args: { unit, account }, gives: 'ok' },
  ];
  const all = talks(...[1, 2, 3].map(() => talk('gram', 'AC-55-1')));

  test('is suggested as a constant, but not where it names a record', () => {
    const draft = suggest(all);
    expect(argument(draft, 'weigh', '/unit').suggestion).toMatchObject({
      source: 'constant',
      constant: 'gram',
    });
    expect(argument(draft, 'weigh', '/account').suggestion).toMatchObject({
      source: 'unclear',
      constant: null,
    });
  });

  test('does not stand in a draft without examples', () => {
    const text = JSON.stringify(suggest(all, [], { examples: false }));
    expect(text).not.toMatch(/gram|AC-55/);
  });
});

describe('what chance alone finds', () => {
  test('a small number that other conversations’ values would be found at too is not taken for measured', () => {
    const talk = (i: number): Line[] => [
      { user: `Crew of ${i % 3} please` },
      { call: 'list_boats', args: {}, gives: [0, 1, 2, 3].map((seats) => ({ seats, decks: seats })) },
      { call: 'hire', args: { crew: i % 3 }, gives: 'ok' },
    ];
    const { found, suggestion } = argument(drafted(...[0, 1, 2, 3, 4, 5].map(talk)), 'hire', '/crew');
    expect(found.result).toBe(6);
    expect(suggestion.measured).toEqual([]);
  });
});

describe('a field beside an id', () => {
  test('that users typed, unique among the records, is suggested to name it', () => {
    const talk = (i: number): Line[] => [
      { user: `Pay with the card ending in 55${i}1` },
      {
        call: 'get_wallet',
        args: {},
        gives: {
          cards: [
            { id: `card_${i}01`, last_four: `55${i}1` },
            { id: `card_${i}02`, last_four: `66${i}2` },
          ],
        },
      },
      { call: 'pay', args: { card_id: `card_${i}01` }, gives: 'ok' },
    ];
    const { suggestion } = argument(drafted(...[1, 2, 3, 4].map(talk)), 'pay', '/card_id');
    expect(suggestion.named_by).toEqual({
      record: 'wallet#/cards/*',
      id: '/id',
      by: [{ value: '/last_four', n: 4 }],
      words: {},
    });
  });
});

describe('what belongs together', () => {
  test('elements whose leaves stand in one record, or were asked for by its call, are a group', () => {
    const talk = (i: number): Line[] => [
      { user: 'Two trips please' },
      {
        call: 'search_trips',
        args: { day: `2026-06-0${i}` },
        gives: [
          { trip: `T${i}10`, seats: 5 },
          { trip: `T${i}20`, seats: 6 },
        ],
      },
      {
        call: 'book',
        args: {
          trips: [
            { trip: `T${i}10`, day: `2026-06-0${i}` },
            { trip: `T${i}20`, day: `2026-06-0${i}` },
          ],
        },
        gives: 'ok',
      },
    ];
    expect(drafted(...[1, 2, 3].map(talk)).groups).toEqual([
      {
        of: ['/trips/*'],
        tools: ['book'],
        elements: 6,
        records: [
          {
            tool: 'search_trips',
            fact: 'trips#/*',
            fields: { '/trips/*/trip': 'record/trip', '/trips/*/day': 'arguments/day' },
            n: 6,
          },
        ],
      },
    ]);
  });
});

describe('words', () => {
  const order =
    (verb: string, tool: string, name: string) =>
    (i: number): Line[] => [
      { user: `Hello, ${name} here: could you ${verb} parcel P-${i}00${i}?` },
      { call: tool, args: { parcel: `P-${i}00${i}` }, gives: 'ok' },
    ];
  const draft = drafted(
    ...[1, 2, 3].map(order('redirect', 'forward_parcel', 'Ada')),
    ...[4, 5, 6].map(order('stop', 'halt_parcel', 'Grace')),
  );

  test('that users typed before one tool and not before others are suggested for its act; names are not', () => {
    const words = draft.tools.map(({ tool, act_words }) => [tool, act_words.map(({ word }) => word)]);
    expect(words).toEqual([
      ['forward_parcel', ['redirect']],
      ['halt_parcel', ['stop']],
    ]);
  });

  test('sentences that look like conditions are kept from system messages, and none that does not', () => {
    expect(drafted(...BOATS).sentences).toEqual([
      { text: 'A boat can be moved only by its owner.', cue: 'only', n: 6 },
    ]);
  });

  test('of a tool’s description too', () => {
    const tool = {
      server: 's',
      name: 'pay',
      description: 'Pays. The amount must not exceed the balance.',
      input_schema: null,
      annotations: { readOnlyHint: false },
    };
    expect(suggest([], [tool]).tools).toEqual([
      expect.objectContaining({
        tool: 'pay',
        calls: 0,
        defined: true,
        read_only_hint: false,
        sentences: [{ text: 'The amount must not exceed the balance.', cue: 'must not', n: 1 }],
      }),
    ]);
  });

  test('where a system message says the time, the words before it are kept', () => {
    expect(drafted(...BOATS)).toMatchObject({ now: 'The current time is ', zone: 'UTC' });
  });
});

describe('bounds', () => {
  test('thousands of different values are counted, and a few kept', () => {
    const many: Line[] = Array.from({ length: 3000 }, (_, i) => ({
      call: 'tag',
      args: { label: `L-${i}` },
      gives: 'ok',
    }));
    const { n, distinct, examples } = argument(drafted(many), 'tag', '/label');
    expect([n, distinct, examples.length]).toEqual([3000, null, 3]);
  });

  test('conversations are read one at a time', () => {
    const [talk] = talks(BOATS[0] ?? []);
    let held = 0;
    function* one() {
      for (let i = 0; i < 3; i++) {
        held = i;
        if (talk !== undefined) yield talk;
      }
    }
    expect(suggest(one()).conversations).toBe(3);
    expect(held).toBe(2);
  });

  test('a call whose arguments can not be read is counted, and teaches nothing', () => {
    const [talk] = talks([{ call: 'pay', args: [], gives: 'ok' }]);
    const draft = suggest(talk === undefined ? [] : [talk]);
    expect(draft).toMatchObject({ calls: 1, unreadable_calls: 1, tools: [] });
  });
});
