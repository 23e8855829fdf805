import { describe, expect, test } from 'vitest';
import { ask } from '../../src/preflight/ask.ts';
import type { By } from '../../src/preflight/by.ts';
import { answer, approve, decline } from '../../src/preflight/reply.ts';
import { scene } from './asked.ts';

const by = (user: string | null): By => ({ user, known_by: 'form' });
const REFUSED = { code: 'preflight/other-user' };

async function asked(words: string) {
  const { around, judge } = await scene(words, { to: 'B-2', amount: 50 });
  const questions = await ask(around, await judge({ user: 'ann' }));
  const of = (about: string): string => questions.find((one) => one.about === about)?.id ?? '';
  return { around, judge, of };
}

describe('A call of one user', () => {
  test('takes no answer, approval or no from another one, and nothing of it is recorded', async () => {
    const { around, judge, of } = await asked('Please send 50.');
    const size = await around.log.size();
    const answers = [{ slot: '/to', text: 'B-2' }];
    await expect(answer(around, { question: of('slots'), by: by('bob'), answers })).rejects.toMatchObject(
      REFUSED,
    );
    await expect(approve(around, { question: of('approval'), by: by('bob') })).rejects.toMatchObject(REFUSED);
    await expect(decline(around, { question: of('approval'), by: by('bob') })).rejects.toMatchObject(REFUSED);
    expect(await around.log.size()).toBe(size);
    await approve(around, { question: of('approval'), by: by('ann') });
    expect((await judge()).verdict.kind).toBe('executable');
  });

  test('takes it where nobody knows who said it', async () => {
    const { around, judge, of } = await asked('Please send 50.');
    await approve(around, { question: of('approval'), by: by(null) });
    expect((await judge()).verdict.kind).toBe('executable');
  });

  test('is not told by another one what was meant', async () => {
    const { around, of } = await asked('Please do 50 to B-2.');
    const say = (user: string) =>
      answer(around, {
        question: of('intent'),
        by: by(user),
        answers: [{ slot: 'intent', text: 'Send 50 to B-2.' }],
      });
    await expect(say('bob')).rejects.toMatchObject(REFUSED);
    await say('ann');
  });
});
