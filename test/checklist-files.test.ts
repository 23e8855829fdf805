import { describe, expect, test } from 'vitest';
import { parseChecklist } from '../src/checklist-files.ts';

const text = (require: string): string => `grounds: 1
checklist: refunds
declared_by: system
tools:
  refund:
    slots: { /amount: { sources: [instruction] } }
    conditions:
      small: { require: ${JSON.stringify(require)} }
`;

describe('A checklist is read with the gate’s own compiler', () => {
  test.each<[string, RegExp]>([
    ['args.amount = 5', /this is no expression: =\. .*==, && and \|\|/],
    ['args.amount <=', /this is no expression/],
    ['refundable(args.amount)', /no such function: refundable\(args\.amount\)/],
  ])('so that %j is told with its line', (require, says) => {
    const read = () => parseChecklist(text(require), 'refunds.yaml');
    expect(read).toThrow(/refunds\.yaml:8:\d+ {2}This does not compile/);
    expect(read).toThrow(says);
  });

  test('and what compiles is taken', () => {
    expect(parseChecklist(text('args.amount <= 5 && args.amount != 4'), 'refunds.yaml').digest).toMatch(
      /^sha256:/,
    );
  });
});
