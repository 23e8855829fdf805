import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { ReaderSpec } from '../src/declarations/checklist.ts';
import { readerOf } from '../src/gate/readers/index.ts';
import { given, tool, user } from '../src/testing/index.ts';

const page = readFileSync('docs/checklist.md', 'utf8');
const CONTEXT = { at: '2024-05-15T15:00:00-05:00', zone: '-05:00' };

const rows = new Map(
  [...page.matchAll(/^\| `(\w+)` \| (.+) \| (.+) \|$/gm)].map(
    ([, name = '', reads = '', not = '']) => [name, { reads, not }] as const,
  ),
);

it.each<[string, readonly string[], readonly string[]]>([
  [
    'integer',
    ['3', '1,500', '299.0', '-5', 'three', 'two hundred and five', 'fifteen hundred', '2 million', '50만원'],
    ['1 500', '1,50', '1.500', '3.5', '50%', '5k', '2x', '3-4', '5+', '#5', '2 dozen', 'half a million'],
  ],
  ['decimal', ['3.5', '.5', '-0.50', '1,234.50', '1.500'], ['10.5%', '1.2.3', '1.500,00']],
  [
    'money',
    ['$1,625.00', '5 €', 'USD 500', '₩500,000', 'five dollars', '99¢', 'two hundred bucks', 'just 300'],
    ['$5k', '5 dollars 50', '$1.500', '$5-10', '5 grand'],
  ],
  [
    'date',
    ['2024-05-20', 'May 20th, 2024', '20 May 2024', '20.5.2024', '5/20/2024', '2024년 5월 20일', 'tomorrow'],
    ['5/6/2024', '5/20/24', 'next Monday', 'May 2024', 'May 20-25'],
  ],
  ['datetime', ['2024-05-15T15:00:00Z', '2024-05-15 15:00'], ['03:00 PM', 'tomorrow at three']],
  ['url', ['https://'], ['a.example']],
])('%s reads what its row says, and not what it says it does not', (name, yes, no) => {
  const of = readerOf(name, {});
  const row = rows.get(name);
  if (of === null || row === undefined) throw new Error(`no reader or row ${name}`);
  const count = (text: string) => (of.scan(text, CONTEXT) ?? []).length;
  for (const form of yes) {
    expect(row.reads).toContain(form);
    expect(count(name === 'url' ? `${form}a.example` : form), form).toBe(1);
  }
  for (const form of no) {
    expect(row.not).toContain(form);
    expect(count(form), form).toBe(0);
  }
});

it('one_of reads declared words only, the longest first', () => {
  const cabin: ReaderSpec = { one_of: { a: ['basic economy'], b: ['economy'], premium: ['first class'] } };
  const values = (text: string) =>
    (readerOf('cabin', { cabin })?.scan(text, CONTEXT) ?? []).map(({ value }) => value);
  expect(values('basic economy')).toEqual(['a']);
  expect(values('premium')).toEqual([]);
});

it('the smallest useful checklist finds what the page says, and takes what was said', () => {
  const [first = ''] = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text);
  const asked = given(
    [
      user('Please send 250 from acc-1 to acc-77.'),
      tool('get_account', { id: 'acc-1' }, { id: 'acc-1', available: 812 }),
    ],
    first,
  );
  asked.propose('transfer', { amount: 250, from: 'acc-1', to: 'acc-78' }).finds({
    kind: 'unknown',
    slots: { '/amount': 'located', '/from': 'located', '/to': 'not_said', covered: 'met' },
  });
  asked.propose('transfer', { amount: 250, from: 'acc-1', to: 'acc-77' }).finds({ kind: 'executable' });
  expect(page).toContain('transfer  run.json:1:4  UNKNOWN /to not_said → ask_user');
  given([user('I am sending 250 from acc-1 to acc-77.')], first.replace('sending]', 'send]'))
    .propose('transfer', { amount: 250, from: 'acc-1', to: 'acc-77' })
    .finds({ kind: 'intent_undetermined' });
});
