import { expect, it } from 'vitest';
import { AT, agrees, found, read, reader } from './reading.ts';

const url = reader('url');

it.each<[string, string[]]>([
  ['See https://a.example/x.', ['https://a.example/x']],
  ['(https://a.example/x)', ['https://a.example/x']],
  ['[the page](https://a.example/x), or <https://b.example>', ['https://a.example/x', 'https://b.example']],
  [
    'https://a.example/x_(y) and "http://b.example/?q=1&r=2"',
    ['https://a.example/x_(y)', 'http://b.example/?q=1&r=2'],
  ],
  ['**https://a.example/** _https://b.example_', ['https://a.example/', 'https://b.example']],
  ['“https://a.example/x”。', ['https://a.example/x']],
  ['https://a.example/a,b!?', ['https://a.example/a,b']],
  ['xhttps://a.example ftp://b.example a.example http://', []],
])('url reads whole addresses in: %s', (text, values) => {
  expect(read(url, text)).toEqual(values);
  for (const value of values) agrees(url, text, value, AT);
});

it('url compares exactly and never finds part of an address', () => {
  expect(found(url, 'https://a.example/x/y', 'https://a.example/x')).toEqual([]);
  expect(found(url, 'https://a.example/x?y=1', 'https://a.example/x')).toEqual([]);
  expect(found(url, 'https://a.example/', 'https://a.example')).toEqual([]);
  expect(url.same('https://a.example', 'https://A.example')).toBe(false);
  expect(url.fromJson('https://a.example', AT)).toBe('https://a.example');
  expect(url.fromJson('a.example', AT)).toBeUndefined();
  expect(url.fromJson(5, AT)).toBeUndefined();
});

it('url takes no quadratic time over brackets', () => {
  const text = `https://a.example/${')'.repeat(100_000)}`;
  const begun = performance.now();
  expect(read(url, text)).toEqual(['https://a.example/']);
  expect(performance.now() - begun).toBeLessThan(500);
});
