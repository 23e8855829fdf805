import { describe, expect, test } from 'vitest';
import { plainOf } from '../../src/events/content.ts';
import { digestOf } from '../../src/events/digest.ts';
import type { DataOf, EventType } from '../../src/events/index.ts';
import type { JsonObject } from '../../src/events/json.ts';
import { REFUSAL_RULES, type Refusal, type RefusalRule } from '../../src/executor/index.ts';
import type { StoredRow, SyncLog } from '../../src/log/index.ts';
import { holdsLater } from '../laws/holds.ts';
import { replayed } from '../replay/recorded.ts';
import { forging } from './hooks-of.ts';
import { dataIn, rowsOf } from './record.ts';
import type { Changed, Stage } from './stage.ts';
import { type Story, stories } from './story.ts';
import { Tally } from './tally.ts';
import { told } from './told.ts';
import { wrongEffects } from './wrong-effects.ts';

const FUZZ = Number(process.env.GROUNDS_FUZZ ?? '1');
const RUNS = 170;

const tally = new Tally();
/** Of each reason some stories in which it alone stood between a verdict and a call. */
const heldBack = new Map<Refusal, Story[]>();
/** Stories in which something was done, and something approved. */
const asking: { readonly story: Story; readonly stage: Stage }[] = [];

/** Each of them alone holds a call back. What is not executable has no arguments to send, whatever the rules say. */
const REASONS: readonly Refusal[] = [
  'consumed',
  'too_old',
  'tool_redeclared',
  'checklist_redeclared',
  'typed_since',
  'setting_changed',
  'executor_declined',
  'request_abandoned',
];

/** These seldom stand alone: they are made to. */
const AMBUSHED = [
  ['answered_since', 'an answer'],
  ['revoked_since', 'a revocation'],
] as const;

/** A live run always has its verdict and seals nothing: `no_verdict` and `arguments_sealed` have tests of their own. */
const REACHED: readonly string[] = [
  ...[...REASONS, 'answered_since', 'revoked_since', 'not_executable', 'not_at_trigger', 'not_newest'].map(
    (reason) => `refused ${reason}`,
  ),
  ...['intent', 'tool', 'slots', 'approval'].map((about) => `asked ${about}`),
  ...['AnswerReceived', 'declined', 'ApprovalGranted', 'ApprovalRevoked'],
  ...['SettingStored', 'SettingRevoked', 'CallDeferred', 'RequestAbandoned'],
  ...['scheduled', 'recurring'].map((timing) => `triggered ${timing}`),
  ...['CallSucceeded', 'CallFailed', 'CallOutcomeUnknown', 'CallReconciled'],
  ...['executable', 'schedulable', 'unknown', 'unmet', 'intent_undetermined', 'tool_undetermined'].map(
    (kind) => `verdict ${kind}`,
  ),
  ...['answered', 'approved', 'located', 'measured', 'met', 'setting'].map((reason) => `acted on ${reason}`),
  ...['ask/question-closed', 'ask/typed-since', 'preflight/other-request', 'preflight/not-schedulable'],
];

/** What the second opinion says where the record of an approval reads otherwise. */
const OTHERWISE: readonly [string, (granted: DataOf<'ApprovalGranted'>) => DataOf<'ApprovalGranted'>][] = [
  ['of another value', (granted) => ({ ...granted, shown: granted.shown.map(doubled) })],
  ['of another tool', (granted) => ({ ...granted, tool: digestOf('another') })],
  ['of another request', (granted) => ({ ...granted, request: granted.question ?? '' })],
  ['of what was not shown', (granted) => ({ ...granted, question: granted.request })],
];

function doubled({ slot, value }: DataOf<'ApprovalGranted'>['shown'][number]) {
  const plain = plainOf(value);
  return { slot, value: { plain: typeof plain === 'number' ? plain * 2 : `${plain} and more` } };
}

function changedIn<T extends EventType>(
  row: StoredRow,
  type: T,
  change: (data: DataOf<T>) => DataOf<T>,
): StoredRow {
  const data = dataIn(row, type);
  return data === undefined ? row : { ...row, event: { ...row.event, data: change(data) } };
}

function remember(story: Story, stage: Stage): void {
  const { log, effects } = stage;
  const rows = rowsOf(log);
  if (asking.length < 6 && effects.length > 0 && rows.some(({ type }) => type === 'ApprovalGranted'))
    asking.push({ story, stage });
  for (const row of rows) {
    const [reason, ...more] = dataIn(row, 'ExecutionDecided')?.refused ?? [];
    if (reason === undefined || more.length > 0) continue;
    const known = heldBack.get(reason) ?? [];
    if (known.length < 8 && !known.includes(story)) heldBack.set(reason, [...known, story]);
  }
}

/** What is wrong with how a story came out; empty where the law holds. */
function wrongIn(stage: Stage): string[] {
  const wrong = wrongEffects(stage);
  const runs = rowsOf(stage.log).filter(({ type }) => type === 'RunStarted').length;
  const { summary, found } = replayed(stage.log);
  const { matched, diverged, tampered, missing_input } = summary;
  if (matched !== runs || diverged + tampered + missing_input > 0)
    wrong.push(
      `replay: ${JSON.stringify({ runs, summary, found: found.filter(({ finding }) => finding !== 'MATCH') })}`,
    );
  return wrong;
}

describe('Whatever is declared, said, measured, asked and done at once', { timeout: 120_000 }, () => {
  test(
    'no call runs but from an executable verdict, with its arguments and approvals, and the log replays',
    async () => {
      await holdsLater(
        'no call runs but',
        'test/live',
        stories,
        async (story) => {
          const stage = await told(story);
          tally.add(stage);
          remember(story, stage);
          expect(wrongIn(stage)).toEqual([]);
        },
        RUNS,
      );
    },
    150_000 * FUZZ,
  );

  test('stories reach what the law is about', () => {
    expect(tally.acting / tally.stories).toBeGreaterThan(0.25);
    expect(tally.effects).toBeGreaterThan(50);
    expect(tally.missing(REACHED)).toEqual([]);
  });

  test.each(REASONS)('an executor that lets %s pass breaks the law', async (reason) => {
    expect(await isBroken(heldBack.get(reason) ?? [], () => without(reason))).toBe(true);
  });

  test.each(AMBUSHED)('an executor that lets %s pass breaks the law', async (reason, ambush) => {
    expect(await isBroken(asked(), () => undefined, { ambush })).toBe(false);
    expect(await isBroken(asked(), () => without(reason), { ambush })).toBe(true);
  });

  test.each(OTHERWISE)('an approval %s breaks the law', (wrong, otherwise) => {
    let found = 0;
    for (const { stage } of asking) {
      const rows = rowsOf(stage.log).map((row) => changedIn(row, 'ApprovalGranted', otherwise));
      const log = { ...stage.log, readSync: () => [rows][Symbol.iterator]() } as unknown as SyncLog;
      const { effects, executions, unwanted } = stage;
      found += wrongEffects({ log, effects, executions, unwanted }).filter((each) =>
        each.includes(wrong),
      ).length;
    }
    expect(found).toBeGreaterThan(0);
  });

  test('a call with other arguments than were recorded breaks the law', () => {
    const { stage } = asking[0] as (typeof asking)[number];
    const effects = stage.effects.map((effect) => ({
      ...effect,
      args: { ...(effect.args as JsonObject), amount: 7_000 },
    }));
    const { log, executions, unwanted } = stage;
    expect(wrongEffects({ log, executions, unwanted, effects }).length).toBeGreaterThan(effects.length);
  });

  test('an approval that nobody gave breaks the law', async () => {
    expect(await isBroken(asked(), () => undefined, { world: forging })).toBe(true);
  });
});

function asked(): Story[] {
  return asking.map(({ story }) => story);
}

/** Whether the law is broken in one of these stories, where something was changed. */
async function isBroken(
  candidates: readonly Story[],
  change: () => (() => void) | undefined,
  changed: Changed = {},
): Promise<boolean> {
  const undo = change();
  try {
    for (const story of candidates) if (wrongEffects(await told(story, changed)).length > 0) return true;
    return false;
  } finally {
    undo?.();
  }
}

/** An executor without one of its rules. */
function without(reason: Refusal): () => void {
  const rules = REFUSAL_RULES as RefusalRule[];
  const index = rules.findIndex((rule) => rule.reason === reason);
  const [taken] = rules.splice(index, 1) as [RefusalRule];
  return () => rules.splice(index, 0, taken);
}
