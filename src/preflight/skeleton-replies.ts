import { GroundsError } from '../errors.ts';
import { encode } from '../events/canonical.ts';
import { plainOf } from '../events/content.ts';
import type { Json } from '../events/json.ts';
import { isForTool } from '../gate/entries.ts';
import { standingOf } from '../runs/standing.ts';
import type { Around } from './around.ts';
import type { By } from './by.ts';
import { slotOf } from './prior-records.ts';
import { answer, approve, decline, type SlotAnswer } from './reply.ts';
import { misfit, type SkeletonInput } from './skeleton-input.ts';
import { waitingAt } from './waiting.ts';

/** What the caller brings of what the user said: it is the caller who says so, and the record says that. */
export interface Brought {
  readonly by: By;
  /** By slot; null: the user said that there is none. */
  readonly answers: ReadonlyMap<string, Json>;
  readonly approvals: Readonly<Record<string, boolean>>;
}

export function broughtBy({ userId, userAnswers, userApprovals }: SkeletonInput): Brought {
  return {
    by: { user: userId, known_by: 'caller' },
    answers: new Map(Object.entries(userAnswers ?? {}).map(([name, value]) => [slotOf(name), value])),
    approvals: userApprovals ?? {},
  };
}

/**
 * A yes or a no to questions by their ids.
 *
 * @returns whether any was brought
 * @throws GroundsError `preflight/input`; as `approve` and `decline`
 */
export async function decideShown(around: Around, { by, approvals }: Brought): Promise<boolean> {
  const given = Object.entries(approvals);
  for (const [question, yes] of given) {
    if (typeof yes !== 'boolean') throw misfit(`userApprovals.${question}`, 'true or false');
    await (yes ? approve : decline)(around, { question, by });
  }
  return given.length > 0;
}

/**
 * Gives the answers to the questions that wait for them at a call. What nobody asked is not taken.
 *
 * @returns whether any was taken
 * @throws GroundsError `preflight/answered-otherwise`; as `answer`
 */
export async function answerWaiting(around: Around, call: string, brought: Brought): Promise<boolean> {
  const left = new Map(brought.answers);
  for (const { id, slots } of waitingAt(around.log, call)) {
    const answers = slots.flatMap(({ slot }): SlotAnswer[] => {
      const value = left.get(slot);
      if (value === undefined) return [];
      left.delete(slot);
      return [value === null ? { slot, none: true } : { slot, value }];
    });
    if (answers.length > 0) await answer(around, { question: id, by: brought.by, answers });
  }
  requireSame(around, call, left);
  return left.size < brought.answers.size;
}

/** An answer that says something else than the one that counts must not be passed over in silence. */
function requireSame({ log }: Around, call: string, answers: ReadonlyMap<string, Json>): void {
  const standing = standingOf(log, call);
  if (standing?.run == null) return;
  const judged = { tool_digest: standing.run.started.tool.digest };
  for (const [slot, value] of answers) {
    const before = standing.said.findLast(
      ({ entry }) => entry.kind === 'answer' && entry.slot === slot && isForTool(judged, entry),
    )?.entry;
    if (before?.kind !== 'answer' || encode(plainOf(before.value)) === encode(value)) continue;
    throw new GroundsError('preflight/answered-otherwise', `${slot} was answered otherwise before.`, {
      facts: { call, slot },
      hint: 'Nothing waits there for another answer. Where the user changed their mind, add what they typed to the instruction, or begin a new request.',
    });
  }
}
