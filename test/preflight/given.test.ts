import { describe, expect, test } from 'vitest';
import { plainOf } from '../../src/events/content.ts';
import { randomId } from '../../src/events/random-id.ts';
import type { GroundsError } from '../../src/index.ts';
import type { HookFailure } from '../../src/preflight/call-hook.ts';
import { segmentsGiven, toolGiven } from '../../src/preflight/given.ts';
import { segmentsOf } from '../../src/runs/conversation.ts';
import { replayed } from '../replay/recorded.ts';
import { ARGUMENTS, HOOKS, hooked, transferred, WORDS } from './hooked.ts';
import { result, TRANSFER, typed } from './live.ts';

const refusalOf = async (made: () => unknown): Promise<GroundsError> => {
  try {
    await made();
  } catch (error) {
    return error as GroundsError;
  }
  return expect.unreachable('it was taken');
};

const MCP = {
  name: 'transfer',
  inputSchema: TRANSFER.input_schema,
  title: 'Transfer',
  outputSchema: { type: 'object' },
};

describe('Segments are taken', () => {
  test.each([
    ['a text that the user typed', { author: 'user', typed: true, body: 'hello' }, typed('hello')],
    [
      'and one with its time, and members that are undefined',
      { author: 'user', typed: true, body: 'hello', at: '2026-03-02T09:00:00+01:00', origin: undefined },
      typed('hello', '2026-03-02T09:00:00+01:00'),
    ],
    [
      'a result of a tool',
      {
        author: 'tool',
        body: { balance: 9 },
        observes: { tool: 'get', arguments: { id: 1 }, failed: false },
      },
      result('get', { id: 1 }, { balance: 9 }),
    ],
    [
      'its text, as the value that it denotes',
      { author: 'tool', body: '{"balance":9}', observes: { tool: 'get', arguments: {}, failed: false } },
      result('get', {}, { balance: 9 }),
    ],
    [
      'a result that looks like a stored body, as the value that it is',
      { author: 'tool', body: { plain: 9 }, observes: { tool: 'get', arguments: {}, failed: false } },
      result('get', {}, { plain: 9 }),
    ],
    ['the stored form', typed('hello'), typed('hello')],
    ['the stored form of a result', result('get', { id: 1 }, 'x'), result('get', { id: 1 }, 'x')],
  ])('%s', (_, given, stored) => {
    expect(segmentsGiven([given as never])).toEqual([stored]);
  });

  test('and what is not said to be typed is not', () => {
    expect(segmentsGiven([{ author: 'user', body: 'hello' }])[0]).toMatchObject({ typed: false });
  });

  test('and a result that can’t be read exactly keeps its fault', () => {
    const [segment] = segmentsGiven([
      { author: 'tool', body: '{"a":1,"a":2}', observes: { tool: 'get', arguments: {} } },
    ]);
    expect(segment?.observes?.fault).toBe('duplicate_key');
  });
});

describe('Tools are taken', () => {
  const stored = { ...TRANSFER, server: 'default' };
  test.each([
    ['as MCP lists them', MCP, stored],
    ['of a server that is named', { ...MCP, server: 'bank' }, TRANSFER],
    ['with members that are undefined', { ...MCP, description: undefined, annotations: undefined }, stored],
    [
      'as OpenAI writes them',
      { type: 'function', function: { name: 'transfer', parameters: MCP.inputSchema } },
      stored,
    ],
    ['without a schema', { name: 'transfer' }, { ...stored, input_schema: null }],
    ['in the stored form', TRANSFER, TRANSFER],
  ])('%s', (_, given, read) => {
    expect(toolGiven(given as never)).toEqual(read);
  });
});

const call = () => ({
  conversation: randomId(),
  request: randomId(),
  call: randomId(),
  opens: true,
  tool: TRANSFER,
  arguments: ARGUMENTS,
  segments: [typed(WORDS)],
});

describe('What is not as it should be is refused before any hook is asked', () => {
  let asked = 0;
  const counting = Object.fromEntries(
    Object.entries(HOOKS).map(([name, hook]) => [
      name,
      typeof hook === 'function' ? () => void asked++ : hook,
    ]),
  );

  test.each<[string, Record<string, unknown>, string, RegExp]>([
    ['an id that is a name', { conversation: 'chat-1' }, 'conversation', /randomId\(\)/],
    ['an id in capitals', { call: randomId().toUpperCase() }, 'call', /lower-case/],
    ['no request', { request: undefined }, 'request', /openRequest/],
    ['arguments left out', { arguments: undefined }, 'arguments', /null where nothing is proposed/],
    ['an argument that is undefined', { arguments: { amount: undefined } }, 'arguments.amount', /plain JSON/],
    ['an argument that is a date', { arguments: { on: [new Date(0)] } }, 'arguments.on.0', /plain JSON/],
    ['a number that no double holds', { arguments: { n: 2 ** 60 } }, 'arguments.n', /as the model wrote it/],
    ['no tool', { tool: undefined }, 'tool', /as MCP lists it/],
    ['a tool’s name alone', { tool: 'transfer' }, 'tool', /as MCP lists it/],
    ['a tool without a name', { tool: { inputSchema: {} } }, 'tool.name', /as MCP lists it/],
    ['a schema that is none', { tool: { name: 'transfer', inputSchema: 'x' } }, 'tool', /as MCP lists it/],
    ['a text for segments', { segments: 'hello' }, 'segments', /typed: true/],
    ['a text for a segment', { segments: ['hello'] }, 'segments[0]', /typed: true/],
    ['an author that is none', { segments: [{ author: 'me', body: 'x' }] }, 'segments[0].author', /./],
    ['a segment without a body', { segments: [{ author: 'user', typed: true }] }, 'segments[0].body', /./],
    [
      'half of a stored form',
      { segments: [{ author: 'user', body: { plain: 'x' } }] },
      'segments[0].body',
      /./,
    ],
    [
      'a stored form that is wrong',
      { segments: [typed('x'), { ...typed('x'), typed: 1 }] },
      'segments[1].typed',
      /./,
    ],
    [
      'a result of no arguments',
      { segments: [{ author: 'tool', body: 'x', observes: { tool: 'get' } }] },
      'segments[0].observes.arguments',
      /./,
    ],
    ['a phase that is none', { phase: 'now' }, 'phase', /docs\/preflight\.md/],
    ['a time without a zone', { now: '2026-03-02' }, 'now', /with a zone/],
    ['a setting that is undefined', { settings: { a: undefined } }, 'settings.a', /./],
    ['measured data that is a function', { measured_data: () => 1 }, 'measured_data', /./],
    ['a member that is none', { argumets: {} }, '', /./],
  ])('%s', async (_, wrong, path, hint) => {
    const preflight = hooked(counting);
    const error = await refusalOf(() => preflight.judge({ ...call(), ...wrong } as never));
    expect(error).toMatchObject({ code: 'preflight/input', facts: { path } });
    expect(error.hint).toMatch(hint);
    expect(asked).toBe(0);
    expect(preflight.log.sizeSync()).toBe(0);
  });

  test('and everything that is wrong is said in one error', async () => {
    const error = await refusalOf(() => hooked().judge({ ...call(), call: '1', phase: 'x' } as never));
    expect(error.message).toMatch(/^call .*; phase /);
    expect(error.facts.problems).toHaveLength(2);
  });

  test.each<[string, (preflight: ReturnType<typeof hooked>) => unknown, string]>([
    ['judge(null)', (preflight) => preflight.judge(null as never), ''],
    ['say of a text', (preflight) => preflight.say(randomId(), 'hello' as never), 'segments'],
    ['say in a conversation by name', (preflight) => preflight.say('conv', [typed('x')]), 'conversation'],
    ['openRequest of a text', (preflight) => preflight.openRequest('conv' as never), ''],
    ['openRequest of a name', (preflight) => preflight.openRequest({ conversation: 'conv' }), 'conversation'],
    ['trigger by a name', (preflight) => preflight.trigger({ call: 'call', by: 'clock' }), 'call'],
    ['trigger by nothing', (preflight) => preflight.trigger({ call: randomId() } as never), 'by'],
    [
      'trigger with a tool’s name',
      (preflight) => preflight.trigger({ call: randomId(), by: 'clock', tool: 'x' as never }),
      'tool',
    ],
  ])('%s', async (_, made, path) => {
    expect(await refusalOf(() => made(hooked()))).toMatchObject({ code: 'preflight/input', facts: { path } });
  });
});

test('A call in the friendly forms is judged as one in the stored forms', async () => {
  const preflight = hooked();
  const conversation = randomId();
  const request = await preflight.openRequest({ conversation });
  await preflight.say(conversation, [{ author: 'user', typed: true, body: WORDS }]);
  const judged = await preflight.judge({
    conversation,
    request,
    call: randomId(),
    tool: { ...MCP, server: 'bank' },
    arguments: ARGUMENTS,
    user: 'u_01',
  });
  expect(judged.verdict).toEqual((await transferred(hooked())).verdict);
  expect(plainOf(segmentsOf(preflight.log, conversation)[0]?.body ?? { plain: null })).toBe(WORDS);
});

describe('onHookError', () => {
  const failing = {
    classifyWhenCase: () => {
      throw new TypeError('it fell over');
    },
    extractUserActionName: () => 7 as never,
    measure: { get_account: () => ({ valid: 'yes' }) as never },
  };

  test('is told what a hook failed with', async () => {
    const told: HookFailure[] = [];
    const onHookError = (failure: HookFailure) => void told.push(failure);
    await transferred(hooked(failing, { onHookError }));
    expect(told).toMatchObject([
      { hook: 'classifyWhenCase', code: 'hook/threw', error: { message: 'it fell over' } },
      {
        hook: 'extractUserActionName',
        code: 'hook/out_of_contract',
        error: { code: 'hook/out_of_contract', cause: { name: 'ZodError' } },
      },
    ]);
    const { classifyWhenCase, extractUserActionName, ...measuring } = failing;
    told.length = 0;
    await transferred(hooked(measuring, { onHookError }));
    expect(told[0]).toMatchObject({
      hook: 'measure.get_account',
      code: 'hook/out_of_contract',
      error: { hint: expect.stringContaining('{ valid: true, value }') },
    });
    told.length = 0;
    const never = { buildActionKey: () => new Promise<never>(() => {}) };
    await transferred(hooked(never, { onHookError, deadline: 30 }));
    expect(told).toContainEqual({ hook: 'buildActionKey', code: 'hook/timed_out', error: null });
  });

  test.each<[string, () => unknown]>([
    ['throws', () => expect.unreachable()],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['writes to what it is told', ((failure: { code: string }) => (failure.code = 'x')) as never],
  ])('changes nothing where it %s', async (_, onHookError) => {
    const ids = ['1', '2', '3'].map((n) => `00000000-0000-4000-9000-00000000000${n}`);
    const [conversation, request, call] = ids as [string, string, string];
    const judgedBy = async (preflight: ReturnType<typeof hooked>) => {
      const judged = await transferred(preflight, ARGUMENTS, WORDS, { conversation, request, call });
      const { log_digest, matched } = replayed(preflight.log).summary;
      return { verdict: judged.verdict, log_digest, matched };
    };
    const plain = await judgedBy(hooked(failing));
    expect(await judgedBy(hooked(failing, { onHookError }))).toEqual(plain);
    expect(plain.matched).toBe(1);
  });
});
