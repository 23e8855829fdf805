import { describe, expect, test } from 'vitest';
import { openMemoryLog } from '../../src/log/index.ts';
import { hooked, transferred } from './hooked.ts';

const by = { user: 'u_01', known_by: 'form' as const };
const answers = [{ slot: '/note', text: 'rent' }];

describe('What is wrong with a reply is said before anything is looked for', () => {
  const of = (given: unknown) => given as never;
  test.each<[string, (p: ReturnType<typeof hooked>) => Promise<unknown>, string, RegExp]>([
    ['no answer at all', (p) => p.answer(of({})), 'question', /\{ question, by, answers \}/],
    ['nothing', (p) => p.answer(of(undefined)), '', /\{ question, by, answers \}/],
    ['nobody who says it', (p) => p.answer(of({ question: 'q', answers })), 'by', /known_by/],
    ['nobody who approves', (p) => p.approve(of({ question: 'q' })), 'by', /known_by/],
    ['nobody who declines', (p) => p.decline(of({ question: 'q' })), 'by', /known_by/],
    ['nobody who revokes', (p) => p.revoke(of({ call: 'c', approval: 'a' })), 'by', /known_by/],
    [
      'a way of knowing that there is not',
      (p) => p.answer(of({ question: 'q', by: { user: 'ann', known_by: 'telepathy' }, answers })),
      'by.known_by',
      /"typed", "form", "channel" or "caller"/,
    ],
    [
      'an answer that says nothing',
      (p) => p.answer(of({ question: 'q', by, answers: [{ slot: '/note' }] })),
      'answers[0]',
      /\{ slot, none: true \}/,
    ],
    ['no judged call', (p) => p.ask(of({})), 'call', /what judge gave back/],
    ['no judged call to defer', (p) => p.defer(of({})), 'call', /what judge gave back/],
  ])('%s', async (_, made, path, hint) => {
    await expect(made(hooked())).rejects.toMatchObject({
      code: 'preflight/input',
      facts: { path },
      hint: expect.stringMatching(hint),
    });
  });

  test('a question that is none is still not found', async () => {
    await expect(hooked().answer({ question: 'q', by, answers })).rejects.toMatchObject({
      code: 'ask/no-question',
    });
  });
});

test('A checklist is a loaded object, and never a path', () => {
  for (const checklists of [['refund.yaml'], 'refund.yaml', [undefined]]) {
    expect(() => hooked({}, { checklists: checklists as never })).toThrow(
      expect.objectContaining({
        code: 'preflight/input',
        hint: expect.stringContaining('loadChecklistFile'),
      }),
    );
  }
});

test('What is said to be typed was written by the user, in either form', async () => {
  const preflight = hooked({}, { log: openMemoryLog() });
  const { input } = await transferred(preflight);
  const [stored] = input.segments;
  const conversation = '00000000-0000-4000-9000-000000000001';
  for (const piece of [
    { author: 'agent' as const, typed: true, body: 'Send it.' },
    { ...(stored as never as object), author: 'agent' as const },
  ]) {
    await expect(preflight.say(conversation, [piece as never])).rejects.toMatchObject({
      code: 'preflight/input',
      facts: { path: 'segments[0].typed' },
    });
  }
});
