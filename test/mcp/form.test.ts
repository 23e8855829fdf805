import { expect, test } from 'vitest';
import { formOf, submitted } from '../../src/mcp/form.ts';
import type { AskedQuestion } from '../../src/preflight/waiting.ts';

test('An argument that is named as a field for a prior value would be has a field of its own', () => {
  const question: AskedQuestion = {
    id: 'q',
    about: 'slots',
    call: 'c',
    request: 'r',
    text: 'To whom?',
    slots: [{ slot: '/to', prior: 'B-2' }, { slot: '/to again' }, { slot: '/again' }],
    shown: [],
    notices: [],
  };
  const properties = { to: { type: 'string' }, 'to again': { type: 'boolean' }, again: { type: 'boolean' } };
  const run = { checklists: [], ruleset: 'standard', tool: { input_schema: { properties } } };
  const fields = formOf([question], run as never).requestedSchema.properties;
  expect(Object.keys(fields).length).toBe(4);
  const [again] = Object.keys(fields).filter((field) => !question.slots.some(({ slot }) => slot === field));
  const says = (content: Record<string, boolean>) => submitted([question], content);
  expect(says({ '/to again': true })).toEqual([
    { question: 'q', says: 'answers', answers: [{ slot: '/to again', value: true }] },
  ]);
  expect(says({ [again as string]: true })).toEqual([
    { question: 'q', says: 'answers', answers: [{ slot: '/to', candidate: true }] },
  ]);
});
