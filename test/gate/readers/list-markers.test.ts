import { expect, test } from 'vitest';
import { scanNumbers } from '../../../src/gate/readers/numbers.ts';

test.each([
  ['5. No, I do not want it', []],
  ['1. One-way\n2. Economy\n3) and 2 bags', ['2']],
  ['- **3.** three bags', ['3']],
  ['  > 4. four', ['4']],
  ['I pay 5. No more.', ['5']],
  ['It costs\n12.50 in all', ['12.5']],
  ['5.', ['5']],
  ['(2) is not a list here', ['2']],
])('the number of a list item is no amount: %j', (text, amounts) => {
  expect(scanNumbers(text).map(({ decimal }) => decimal)).toEqual(amounts);
});
