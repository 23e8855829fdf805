import { fc, test as law } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { encode } from '../../src/events/canonical.ts';
import type { Lookup } from '../../src/events/lookup.ts';
import { SOURCES } from '../../src/events/vocabulary.ts';
import { lookupsOf, walksOf } from '../../src/events/walk.ts';

const place = { in: 'text', segment: 2, start: 0, end: 4 } as const;
const lookup: fc.Arbitrary<Lookup> = fc.record({
  request: fc.record({
    subject: fc.constantFrom<Lookup['request']['subject']>(
      { slot: '/a' },
      { slot: '/b' },
      { fact: 'order', index: null },
      { fact: 'order', index: 1 },
    ),
    source: fc.constantFrom(...SOURCES),
    key: fc.constantFrom({}, { '/a': place }, { typed: null }),
  }),
  by: fc.constantFrom('locator', 'log', 'hook'),
  outcome: fc.constantFrom<Lookup['outcome']>(
    { said: 'absent' },
    { said: 'claim', claims: [{ at: place }], also: 1 },
  ),
});

law.prop([fc.array(lookup)])('no lookup is lost, added or changed by storing it in walks', (lookups) => {
  const sorted = (all: readonly Lookup[]) => all.map(encode).sort();
  expect(sorted(lookupsOf(walksOf(lookups)))).toEqual(sorted(lookups));
});

law.prop([fc.array(lookup)])(
  'there is one walk a subject, its answers in the order of the lookups',
  (lookups) => {
    const walks = walksOf(lookups);
    expect(new Set(walks.map(({ subject }) => encode(subject))).size).toBe(walks.length);
    for (const { subject, answers } of walks) {
      const own = lookups.filter(({ request }) => encode(request.subject) === encode(subject));
      expect(answers.map(({ source }) => source)).toEqual(own.map(({ request }) => request.source));
    }
  },
);

test('an empty key takes no room', () => {
  const [walk] = walksOf([
    {
      request: { subject: { slot: '/a' }, source: 'instruction', key: {} },
      by: 'locator',
      outcome: { said: 'absent' },
    },
  ]);
  expect(encode(walk)).toBe(
    '{"answers":[{"by":"locator","outcome":{"said":"absent"},"source":"instruction"}],"subject":{"slot":"/a"}}',
  );
});
