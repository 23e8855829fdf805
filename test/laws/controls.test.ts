import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { Checklist } from '../../src/declarations/checklist.ts';
import { readRuns, type Write, writesOf } from '../figures/tau-bench.ts';

const folder = mkdtempSync(join(tmpdir(), 'grounds-controls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RULES = Checklist.parse({
  grounds: 1,
  checklist: 'post/policy',
  declared_by: 'system',
  intent: { unmarked_timing: 'immediate', act_words: { send_back: ['send'] } },
  tools: { send_back: { slots_from_proposal: true } },
});

/** One benchmark run: what the user asked for, what was expected, what the agent did. */
function runOf(id: number, asked: string, expected: string, done: string): object {
  const call = { name: 'send_back', arguments: JSON.stringify({ parcel: done }) };
  return {
    task_id: id,
    trial: 0,
    reward: expected === done ? 1 : 0,
    info: {
      task: {
        user_id: 'u_1',
        actions: [{ name: 'send_back', kwargs: { parcel: expected } }],
        instruction: asked,
        outputs: [],
      },
    },
    traj: [
      { role: 'user', content: asked },
      { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: call }] },
      { role: 'tool', tool_call_id: 'call_1', name: 'send_back', content: '{"sent": true}' },
    ],
  };
}

function writes(): Write[] {
  const file = join(folder, 'runs.jsonl');
  const runs = [
    runOf(1, 'Please send P-17 back.', 'P-17', 'P-17'),
    runOf(2, 'Send P-18 back, please.', 'P-18', 'P-18'),
    runOf(3, 'Please send P-19 back.', 'P-19', 'P-20'),
    runOf(4, 'Please send P-21 back.', 'P-21', 'P-12'),
  ];
  writeFileSync(file, runs.map((run) => `${JSON.stringify(run)}\n`).join(''));
  return writesOf(readRuns(file, []), RULES, []);
}

/** The two figures that only count together: right writes let through, wrong ones stopped. */
function figuresOf(found: readonly Write[], lets: (write: Write) => boolean) {
  const share = (of: readonly Write[], hits: readonly Write[]) => hits.length / of.length;
  const right = found.filter((write) => write.right);
  const wrong = found.filter((write) => !write.right);
  return {
    passed: share(right, right.filter(lets)),
    stopped: share(
      wrong,
      wrong.filter((write) => !lets(write)),
    ),
  };
}

const meets = ({ passed, stopped }: ReturnType<typeof figuresOf>): boolean => passed >= 0.5 && stopped >= 0.5;

describe('Law 25: the controls bite', () => {
  const found = writes();

  test('there is something to judge', () => {
    expect(found.map(({ right }) => right)).toEqual([true, true, false, false]);
  });

  test('the gate meets the figures', () => {
    expect(figuresOf(found, ({ verdict }) => verdict.kind === 'executable')).toEqual({
      passed: 1,
      stopped: 1,
    });
  });

  test('a gate that refuses all fails them', () => {
    expect(meets(figuresOf(found, () => false))).toBe(false);
  });

  test('a gate that allows all fails them', () => {
    expect(meets(figuresOf(found, () => true))).toBe(false);
  });
});
