import { expect, it } from 'vitest';
import { AT, agrees, found, read, reader } from './reading.ts';

const address = reader('web_address');

it.each<[string, string[]]>([
  ['Visit www.a.example to pay.', ['www.a.example']],
  ['Visit www.a.example.', ['www.a.example']],
  ['(www.a.example/x), https://www.a.example/y', ['www.a.example/x', 'https://www.a.example/y']],
  ['https://forum.a.example/post?thread=1', ['https://forum.a.example/post?thread=1']],
  ['xwww.a.example ftp://b.example a.example http:// www. www', []],
])('web_address reads whole addresses in: %s', (text, values) => {
  expect(read(address, text)).toEqual(values);
  for (const value of values) agrees(address, text, value, AT);
});

it('what is typed without a scheme is found for both schemes, and the other way', () => {
  for (const value of ['www.a.example', 'http://www.a.example', 'https://www.a.example'])
    for (const text of ['at www.a.example now', 'at http://www.a.example', '"https://www.a.example"'])
      expect(found(address, text, value), `${value} in ${text}`).toHaveLength(1);
});

it.each([
  ['www.a.example/pay', 'www.a.example'],
  ['www.a.example', 'www.a.example/pay'],
  ['www.a.example', 'https://a.example'],
  ['www.a.example', 'https://www.a.example/'],
  ['www.a.example', 'https://www.A.example'],
  ['www.a.example', 'https://www.a.example.evil.example'],
  ['www.a.example', 'https://evil.example/www.a.example'],
  ['www.a.example', 'https://www.a.example@evil.example'],
  ['https://evil.example/?to=www.a.example', 'www.a.example'],
])('typed %s says nothing of %s', (text, value) => {
  expect(found(address, text, value)).toEqual([]);
});
