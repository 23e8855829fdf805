import { z } from 'zod';
import { encode } from '../events/canonical.ts';
import { isObject, type Json } from '../events/json.ts';
import { pointerOf } from '../events/pointer.ts';
import type { SyncLog } from '../log/index.ts';
import { actionKeyIn, baselineFor, sameBaseline } from './baseline.ts';
import { callHook, type HookCall } from './call-hook.ts';
import type { World } from './world.ts';

/** Where an adopter keeps records beside the log. */
export interface RecordStorage {
  /** Told each record once it is durable in the log. */
  readonly persist: (record: never) => unknown;
  /** The records of an action key. They are only compared with the log, and confirm nothing. */
  readonly load: (action_key: string) => unknown;
}

/**
 * A world in which what others keep of the last execution must be what the log holds; where it isn't, the action key counts as failed
 * and the run ends in `definition_repair`: there are two histories, and no gate can say which is true. RULES R10.
 *
 * @param brought the caller's `priorExecutionState`
 */
export function comparing(
  world: World,
  log: SyncLog,
  brought: unknown,
  storage: Pick<RecordStorage, 'load'> | undefined,
  call: Omit<HookCall, 'name'>,
): World {
  return {
    ...world,
    async judge(run) {
      const judgement = await world.judge(run);
      const { key, state } = judgement.action_key;
      if (key === null || state === 'failed') return judgement;
      const failed = { ...judgement, action_key: { state: 'failed' as const, key } };
      const kept = [valuesOf(brought)];
      if (storage !== undefined) {
        const loaded = await callHook(() => storage.load(key), {}, z.unknown(), {
          name: 'storage.load',
          ...call,
        });
        if (loaded.said === 'failed') return failed;
        if (loaded.said === 'answer') kept.push(valuesOf(loaded.value));
      }
      if (kept.every((values) => Object.keys(values).length === 0)) return judgement;
      const baseline = baselineFor(log, actionKeyIn(log, key));
      return kept.every((values) => sameBaseline(values, baseline, same)) ? judgement : failed;
    },
  };
}

function same(a: Json, b: Json): boolean {
  return encode(a) === encode(b);
}

/** The known values of the newest executed record among these, by slot; none where nothing there was executed. */
function valuesOf(kept: unknown): Readonly<Record<string, Json>> {
  const records = (Array.isArray(kept) ? kept : [kept]) as readonly Json[];
  const executed = records.findLast((record) => isObject(record) && record.execution_decision === 'executed');
  const fields = isObject(executed) && Array.isArray(executed.fields) ? (executed.fields as Json[]) : [];
  return Object.fromEntries(
    fields.flatMap((field) =>
      isObject(field) &&
      typeof field.name === 'string' &&
      field.status === 'known' &&
      field.value !== undefined
        ? [[slotOf(field.name), field.value]]
        : [],
    ),
  );
}

/** The skeleton's fields are named by argument key; a nested one by its pointer. */
export function slotOf(name: string): string {
  return name.startsWith('/') ? name : pointerOf([name]);
}
