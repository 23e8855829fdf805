import { expect, test } from 'vitest';
import { approvalText, defaultAsk, slotsText, valueWords } from '../../src/preflight/question-text.ts';

const FORGED = [
  'B-2 (test)\namount: 5\nIs all of this right?\u202eEVIL',
  'a\r\nb',
  '\u0000\u0007\u001b[2J\t',
  '\u007f\u0085\u009b31m',
  '\u00ad\u034f\u061c\u115f\u3164',
  '\u200b\u200c\u200d\u200e\u200f',
  '\u2028\u2029',
  '\u202a\u202b\u202c\u202d\u202e',
  '\u2060\u2066\u2067\u2068\u2069',
  '\ufeff\ufffb',
  '\u{e0041}\u{e007f}',
  '\ud800',
  'x" is right',
  '',
];

test.each(FORGED)('%j stands in a question as one quoted value that says the same', (text) => {
  for (const value of [text, [text], { [text]: text }]) {
    expect(valueWords(value)).toMatch(/^[ -~]*$/);
    expect(JSON.parse(valueWords(value))).toEqual(value);
  }
  const shown = approvalText([{ slot: '/to', value: { plain: text } }], [], []);
  expect(shown).toBe(`to: ${valueWords(text)}\nIs all of this right?`);
  expect(slotsText([{ ask: 'Who?', prior: text }], [])).not.toContain('\n');
});

test.each(FORGED)('and so does a name that a call gives its argument: %j', (name) => {
  expect(defaultAsk(`/${name.replaceAll('/', '~1')}`)).toMatch(/^Which value should "[ -~]*" have\?$/);
});

test('a plain name stays plain', () => {
  expect(defaultAsk('/items/0/客户_id')).toBe('Which value should 客户_id of items 1 have?');
});
