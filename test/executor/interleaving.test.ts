import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { streamOf } from '../../src/events/index.ts';
import { randomId } from '../../src/events/random-id.ts';
import { createExecutor, type Execution, NotReached } from '../../src/executor/index.ts';
import { openMemoryLog, type SyncLog } from '../../src/log/index.ts';
import { later } from './bank.ts';
import { HAPPENINGS, type Happening, happen, judgeNow, type Scene } from './meanwhile.ts';
import { wrongStarts } from './stood.ts';

const FUZZ = Number(process.env.GROUNDS_FUZZ ?? '1');

/** A log on which things happen whenever an executor touches it: before each read and each append, one of the list. */
function restless(log: SyncLog, next: () => void): SyncLog {
  return {
    ...log,
    versionSync(stream) {
      next();
      return log.versionSync(stream);
    },
    *readSync(query) {
      next();
      yield* log.readSync(query);
    },
    async append(commit) {
      next();
      return log.append(commit);
    },
  };
}

type End = 'succeeds' | 'fails' | 'throws' | 'unreached';

interface Story {
  /** Things that happen between the steps of executors, in order. */
  readonly meanwhile: readonly { readonly what: Happening; readonly steps: number }[];
  /** How each call ends that is made. */
  readonly ends: readonly End[];
  readonly executors: number;
  readonly rounds: number;
}

const story: fc.Arbitrary<Story> = fc.record({
  meanwhile: fc.array(
    fc.record({ what: fc.constantFrom(...HAPPENINGS), steps: fc.integer({ min: 0, max: 9 }) }),
    { maxLength: 12 },
  ),
  ends: fc.array(fc.constantFrom<End>('succeeds', 'fails', 'throws', 'unreached'), {
    minLength: 1,
    maxLength: 4,
  }),
  executors: fc.integer({ min: 1, max: 4 }),
  rounds: fc.integer({ min: 1, max: 4 }),
});

async function told({ meanwhile, ends, executors, rounds }: Story) {
  const log = openMemoryLog();
  const scene: Scene = {
    call: randomId(),
    conversation: randomId(),
    request: randomId(),
    setting: streamOf.setting(randomId(), 'limit'),
  };
  happen(log, 'setting stored', scene);
  judgeNow(log, scene);
  const waiting = meanwhile.map((each) => ({ ...each }));
  let busy = false;
  const next = (): void => {
    const [first] = waiting;
    if (first === undefined || busy || first.steps-- > 0) return;
    waiting.shift();
    busy = true;
    happen(log, first.what, scene);
    busy = false;
  };
  const world: { key: string; args: string }[] = [];
  const executor = (n: number) =>
    createExecutor({
      log: restless(log, next),
      name: `executor-${n}`,
      clock: () => later(1),
      call: async (_tool, args, { idempotencyKey }) => {
        const end = ends[world.length % ends.length];
        world.push({ key: idempotencyKey, args: JSON.stringify(args) });
        await Promise.resolve();
        if (end === 'throws') throw new Error('hung up');
        if (end === 'unreached') throw new NotReached('refused');
        return { result: { n: world.length }, failed: end === 'fails' };
      },
    });
  const executions: Execution[] = [];
  for (let round = 0; round < rounds; round++) {
    const all = Array.from({ length: executors }, (_, n) => executor(n).execute({ call: scene.call }));
    executions.push(...(await Promise.all(all)));
    if (round % 2 === 0) judgeNow(log, scene);
  }
  return { log, scene, world, executions };
}

describe('whatever happens meanwhile', () => {
  it(
    'no call is started but from an executable verdict that stood at that very position',
    async () => {
      const seen = { started: 0, refused: new Set<string>(), again: 0 };
      await fc.assert(
        fc.asyncProperty(story, async (one) => {
          const { log, world, executions } = await told(one);
          expect(wrongStarts(log)).toEqual([]);
          const starts: string[] = [];
          for (const page of log.readSync({ types: ['CallStarted'] }))
            for (const { event } of page) starts.push(event.id);
          expect(world.map(({ key }) => key).sort()).toEqual(starts.sort());
          expect(new Set(world.map(({ args }) => args)).size).toBeLessThanOrEqual(1);
          for (const { args } of world) expect(JSON.parse(args)).toEqual({ amount: 250, to: 'acc-77' });
          seen.started += starts.length;
          if (starts.length > 1) seen.again++;
          for (const execution of executions)
            if (execution.decision === 'refuse')
              for (const reason of execution.refused) seen.refused.add(reason);
        }),
        { numRuns: 150 * FUZZ, ...(process.env.GROUNDS_FUZZ === undefined ? { seed: 41 } : {}) },
      );
      // The property says nothing where nothing is started, or nothing refused.
      expect(seen.started).toBeGreaterThan(60);
      expect(seen.again).toBeGreaterThan(2);
      expect([...seen.refused].sort()).toEqual([
        'answered_since',
        'checklist_redeclared',
        'consumed',
        'not_executable',
        'request_abandoned',
        'revoked_since',
        'setting_changed',
        'tool_redeclared',
        'typed_since',
      ]);
    },
    120_000 * FUZZ,
  );

  it('of a revocation and a start exactly one wins, whichever step they meet at (case 42)', async () => {
    const won = { start: 0, revocation: 0 };
    for (let steps = 0; steps < 24; steps++) {
      const { log, scene, executions, world } = await told({
        meanwhile: [{ what: 'setting revoked', steps }],
        ends: ['succeeds'],
        executors: 1,
        rounds: 1,
      });
      const position = (stream: string, type: string): number => {
        for (const page of log.readSync({ stream, types: [type] }))
          for (const row of page) return row.position;
        return Number.POSITIVE_INFINITY;
      };
      const started = position(streamOf.call(scene.call), 'CallStarted');
      const revoked = position(scene.setting, 'SettingRevoked');
      const [execution] = executions;
      if (execution?.decision === 'execute') {
        won.start++;
        expect(world).toHaveLength(1);
        expect(started).toBeLessThan(revoked);
      } else {
        won.revocation++;
        expect(execution?.refused).toEqual(['setting_changed']);
        expect(world).toEqual([]);
        expect(started).toBe(Number.POSITIVE_INFINITY);
      }
    }
    expect(won.start).toBeGreaterThan(2);
    expect(won.revocation).toBeGreaterThan(5);
  });

  it('the second opinion bites: a start that nobody decided is found', async () => {
    const { log, scene } = await told({ meanwhile: [], ends: ['succeeds'], executors: 1, rounds: 1 });
    const { put } = await import('./bank.ts');
    put(log, streamOf.call(scene.call), 'CallStarted', {
      run: randomId(),
      decision: randomId(),
      verdict: randomId(),
      idempotency_key: null,
    });
    expect(wrongStarts(log).length).toBeGreaterThan(3);
  });
});
