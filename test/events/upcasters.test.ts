import { expect, test } from 'vitest';
import { GroundsError } from '../../src/errors.ts';
import type { JsonObject } from '../../src/events/json.ts';
import { UPCASTERS, type Upcasters, upcast } from '../../src/events/upcasters.ts';

const table: Upcasters = {
  Sample: {
    1: (data) => ({ ...(data as JsonObject), two: 2 }),
    2: (data) => ({ ...(data as JsonObject), three: 3 }),
  },
};

test('old data goes through every step between its schema and the newest', () => {
  expect(upcast('Sample', 1, 3, { one: 1 }, table)).toEqual({ one: 1, two: 2, three: 3 });
  expect(upcast('Sample', 2, 3, { one: 1 }, table)).toEqual({ one: 1, three: 3 });
});

test('data of the newest schema stays the very same', () => {
  const data = Object.freeze({ one: 1 });
  expect(upcast('Sample', 3, 3, data, table)).toBe(data);
  expect(upcast('Sample', 1, 1, data)).toBe(data);
});

test.each<[string, number, number]>([
  ['Sample', 3, 4],
  ['Sample', 4, 3],
  ['Other', 1, 2],
  ['constructor', 1, 2],
])('%s of schema %i does not become schema %i by guessing', (type, from, to) => {
  expect(() => upcast(type, from, to, {}, table)).toThrow(GroundsError);
});

test('no shape has changed yet', () => {
  expect(UPCASTERS).toEqual({});
});
