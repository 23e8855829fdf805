import { beforeAll, describe, expect, test } from 'vitest';
import type { Envelope } from '../../src/events/envelope.ts';
import type { DataOf } from '../../src/events/index.ts';
import { makeEvent, streamOf } from '../../src/events/index.ts';
import { randomId } from '../../src/events/random-id.ts';
import { type Commit, openMemoryLog, type SyncLog } from '../../src/log/index.ts';
import type { Around } from '../../src/preflight/around.ts';
import { openRequest, say } from '../../src/preflight/conversation.ts';
import { createPreflight } from '../../src/preflight/create.ts';
import { judge } from '../../src/preflight/judge.ts';
import { CLEAN_UP, CLEAN_UP_HOOKS, executorOn } from '../preflight/clean-up.ts';
import { live, TRANSFER, typed } from '../preflight/live.ts';
import { replayed } from './recorded.ts';

type Started = DataOf<'RunStarted'>;
const BY = { user: null, known_by: 'caller' as const, said: null };
const ARGUMENTS = { from_account: 'A-1', to_account: 'B-2', amount: 50 };

/** A log whose newest run was written otherwise than it was given. */
function lying(change: (started: Started) => Started): SyncLog {
  const log = openMemoryLog();
  return {
    ...log,
    append: (commit) =>
      log.append({
        ...commit,
        writes: commit.writes.map((write) => ({
          ...write,
          events: write.events.map((event) =>
            event.type === 'RunStarted' && (event.data as Started).supersedes !== null
              ? { ...event, data: change(event.data as Started) }
              : event,
          ),
        })),
      }),
  };
}

async function append(
  around: Around,
  call: string,
  ...events: Parameters<typeof makeEvent>[]
): Promise<string> {
  const made = events.map(([type, data]) =>
    makeEvent(type, data, { id: around.newId(), at: around.clock() }),
  );
  await around.log.append({ writes: [{ stream: streamOf.call(call), expected: 'exists', events: made }] });
  return made.at(-1)?.id as string;
}

/** A call that is judged, asked about, answered, and judged again. */
async function answered(
  around: Around,
  answer: Partial<DataOf<'AnswerReceived'>> = {},
): Promise<ReturnType<typeof replayed>> {
  const conversation = randomId();
  const request = await openRequest(around, { conversation, from: 0 });
  await say(around, conversation, [typed('Please transfer 50 from A-1.')]);
  const call = randomId();
  const proposed = { conversation, request, call, tool: TRANSFER, arguments: ARGUMENTS };
  const { run } = await judge(around, proposed);
  const asked = {
    about: 'slots' as const,
    text: { plain: 'To which account?' },
    shown: [],
    tool: null,
    notices: [],
  };
  const question = await append(around, call, [
    'QuestionAsked',
    { ...asked, run, slots: [{ slot: '/to_account', candidate: null }] },
  ] as never);
  const answers = [{ slot: '/to_account', value: { plain: 'B-2' }, none: false, candidate: null }];
  await append(around, call, [
    'AnswerReceived',
    { question, by: BY, answers, declined: false, ...answer },
  ] as never);
  const { verdict } = await judge(around, proposed);
  expect(verdict.slots?.find(({ slot }) => slot === '/to_account')?.state).toBeDefined();
  return replayed(around.log);
}

describe('What a live run was given is made again from the log', () => {
  test('and an answer to an open question is found there', async () => {
    expect((await answered(live())).summary).toMatchObject({ matched: 2, tampered: 0, diverged: 0 });
  });

  test.each<[string, string, (started: Started) => Started]>([
    ['an answer that the run left out', 'given', (started) => ({ ...started, entries: [] })],
    [
      'an answer that nobody gave',
      'given',
      (started) => ({
        ...started,
        entries: [
          ...started.entries,
          {
            event: null,
            entry: { kind: 'answer', slot: '/amount', value: { plain: 50 }, none: false, candidate: null },
          },
        ],
      }),
    ],
    [
      'another value than was answered',
      'given',
      (started) => ({
        ...started,
        entries: started.entries.map(({ event, entry }) => ({
          event,
          entry: entry.kind === 'answer' ? { ...entry, value: { plain: 'C-3' } } : entry,
        })),
      }),
    ],
    [
      'asks that were not counted',
      'request',
      (started) => ({ ...started, attempts: { intent: 1, tool: 0 } }),
    ],
    [
      'a boundary that is called assumed',
      'request',
      (started) => ({ ...started, request_boundary: 'assumed' }),
    ],
    [
      'another request, of which nothing is known',
      'request',
      (started) => ({ ...started, request: randomId(), request_boundary: 'assumed' }),
    ],
    [
      'a live run that calls itself imported',
      'request',
      (started) => ({ ...started, origin: { file: 'a', line: 1, message: 0 } }),
    ],
    [
      'a start that nobody made',
      'given',
      (started) => ({
        ...started,
        entries: [
          ...started.entries,
          { event: randomId(), entry: { kind: 'started', tool: 'transfer', arguments: { plain: {} } } },
        ],
      }),
    ],
    ['a request that began elsewhere', 'request', (started) => ({ ...started, request_from: 1 })],
    [
      'settings read at another version',
      'setting',
      (started) => ({ ...started, settings: [{ stream: 'setting/u/default_account', version: 1 }] }),
    ],
  ])('%s is a finding', async (_, code, change) => {
    const { found, summary } = await answered(live({ log: lying(change) }));
    expect(found.map((each) => [each.finding, each.code])).toEqual([['INPUT_TAMPERED', code]]);
    expect(summary).toMatchObject({ matched: 1, tampered: 1 });
  });

  test('an answer to a question that nobody asked is a finding', async () => {
    const { found } = await answered(live(), { question: randomId() });
    expect(found.map((each) => [each.finding, each.code])).toEqual([['INPUT_TAMPERED', 'late']]);
  });
});

describe('What a run inherits is made again from the record that it names', () => {
  /** Executed once with the words, then judged without them, under a ruleset where an earlier value may stand. */
  const inherited = async (change: (started: Started) => Started): Promise<ReturnType<typeof replayed>> => {
    let said = true;
    const log = lying((started) => started);
    const append = (commit: Commit) =>
      log.append({
        ...commit,
        writes: commit.writes.map((write) => ({
          ...write,
          events: write.events.map((event) =>
            event.type === 'RunStarted' && !said ? { ...event, data: change(event.data as Started) } : event,
          ),
        })),
      });
    const preflight = createPreflight({
      log: { ...log, append },
      ruleset: 'inherit',
      strict: true,
      hooks: {
        ...CLEAN_UP_HOOKS,
        extractFromInstruction: (asked) =>
          said ? CLEAN_UP_HOOKS.extractFromInstruction?.(asked) : undefined,
      },
    });
    const { grounds } = await preflight.runPreflightAndRecord(CLEAN_UP);
    expect(await executorOn(preflight).execute({ run: grounds.run })).toMatchObject({ outcome: 'succeeded' });
    said = false;
    const { fields } = await preflight.runPreflightAndRecord(CLEAN_UP);
    expect(fields).toMatchObject([{ status: 'known', source: 'prior_state' }]);
    return replayed(preflight.log);
  };
  const other = (started: Started, slot: object, event: string | null = null): Started => ({
    ...started,
    entries: started.entries.map((given) =>
      given.entry.kind === 'baseline'
        ? {
            event: event ?? given.event,
            entry: { ...given.entry, slots: given.entry.slots.map((each) => ({ ...each, ...slot })) },
          }
        : given,
    ),
  });

  test('and is found there', async () => {
    const { found, summary } = await inherited((started) => started);
    expect(found).toEqual([]);
    expect(summary).toMatchObject({ matched: 2, tampered: 0, diverged: 0 });
  });

  test.each<[string, string, (started: Started) => Started]>([
    [
      'another value',
      '/entries/0/entry/slots/0/value/plain',
      (run) => other(run, { value: { plain: 'all' } }),
    ],
    ['another origin', '/entries/0/entry/slots/0/origin', (run) => other(run, { origin: 'user_answer' })],
    ['a record that there is none of', '/entries/0', (run) => other(run, {}, randomId())],
    [
      'a record of another action key',
      '/entries/0',
      (run) => ({ ...run, action_key: { ...run.action_key, key: randomId() } }),
    ],
  ])('%s is a finding', async (_, path, change) => {
    const { found } = await inherited(change);
    expect(found).toMatchObject([{ finding: 'INPUT_TAMPERED', code: 'given', path }]);
  });

  /** A log with a run that inherits; copied event by event, one of them otherwise, as if it had always been so. */
  const log = openMemoryLog();
  const events: Envelope[] = [];
  const copy = (change: (event: Envelope, index: number) => Envelope): SyncLog => {
    const other = openMemoryLog();
    for (const { stream, ...event } of events.map(change))
      other.appendSync([{ writes: [{ stream, expected: 'any', events: [event] }] }]);
    return other;
  };
  const withData = (event: Envelope, change: (data: object) => unknown): Envelope => ({
    ...event,
    data: change(event.data as object) as never,
  });
  beforeAll(async () => {
    let said = true;
    const preflight = createPreflight({
      log,
      ruleset: 'inherit',
      strict: true,
      hooks: {
        ...CLEAN_UP_HOOKS,
        extractFromInstruction: (asked) =>
          said ? CLEAN_UP_HOOKS.extractFromInstruction?.(asked) : undefined,
      },
    });
    const { grounds } = await preflight.runPreflightAndRecord(CLEAN_UP);
    await executorOn(preflight).execute({ run: grounds.run });
    said = false;
    await preflight.runPreflightAndRecord(CLEAN_UP);
    for (const page of log.readSync({})) events.push(...page.map(({ event }) => event));
  });
  const second = (type: string): number => events.findLastIndex((event) => event.type === type);

  test('a row that is no event of a call is a finding, is never thrown, and hides no other', () => {
    const stray = (run: Envelope): Envelope => ({
      ...run,
      stream: streamOf.call(randomId()),
      id: randomId(),
    });
    const inherits = events[second('RunStarted')] as Envelope;
    events.unshift(withData(stray(inherits), () => null));
    expect(replayed(copy((event) => event)).summary).toMatchObject({ matched: 2, tampered: 1 });
    const lying = copy((event) =>
      event.id === inherits.id
        ? withData(event, (data) => other(data as Started, { value: { plain: 'all' } }))
        : event,
    );
    expect(replayed(lying).found).toMatchObject([
      {},
      { code: 'given', path: '/entries/0/entry/slots/0/value/plain' },
    ]);
    events.shift();
  });

  test('another user than the call began with is a finding', async () => {
    const around = live({ log: lying((started) => ({ ...started, user: randomId() })) });
    const conversation = randomId();
    const request = await openRequest(around, { conversation, from: 0 });
    const proposed = { conversation, request, call: randomId(), tool: TRANSFER, arguments: ARGUMENTS };
    await judge(around, { ...proposed, user: 'ann' });
    await judge(around, proposed);
    expect(replayed(around.log).found).toMatchObject([{ code: 'given', path: '/user' }]);
  });

  test('whatever is wrong in a row is a finding and never thrown', () => {
    for (const [position, { type, data }] of events.entries()) {
      if (type === 'LookupPerformed' || type === 'VerdictRecorded') continue;
      for (const path of pathsIn(data)) {
        const wrong = replayed(
          copy((event, index) => (index === position ? withData(event, (old) => without(old, path)) : event)),
        );
        expect(wrong.summary.replayed, `${type} ${path.join('/')}`).toBeLessThanOrEqual(2);
      }
    }
  });

  test.each<[string, string, (started: Started) => unknown]>([
    ['another run before it', '/supersedes', (started) => ({ ...started, supersedes: randomId() })],
    [
      'settings of another user',
      '/settings',
      (started) => ({
        ...started,
        settings: [{ stream: streamOf.setting(randomId(), 'folder'), version: 0 }],
      }),
    ],
  ])('%s is a finding', (_, path, change) => {
    const at = second('RunStarted');
    const { found } = replayed(
      copy((event, index) => (index === at ? withData(event, (data) => change(data as Started)) : event)),
    );
    expect(found).toMatchObject([{ finding: 'INPUT_TAMPERED', path: expect.stringContaining(path) }]);
  });
});

/** Each place in a value, but for the whole. */
function* pathsIn(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value))
    yield* pathsIn((value as Record<string, unknown>)[key], [...path, key]);
}

/** The same with null at this place. */
function without(value: object, path: readonly string[]): object {
  const copied = structuredClone(value);
  const last = path.at(-1) as string;
  const holder = path.slice(0, -1).reduce((at, key) => at[key] as never, copied as Record<string, unknown>);
  holder[last] = null;
  return copied;
}
