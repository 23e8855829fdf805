import { renderRecord, SkeletonRecord } from '../../src/compat/index.ts';
import type { RunInput } from '../../src/gate/types.ts';
import { type Proposed, user } from '../../src/testing/index.ts';

/** A bank: money goes where the user said, within what the account holds, and no more than the user's own limit. */
export const POLICY = `
grounds: 1
checklist: bank/policy
declared_by: system
intent:
  timing:
    immediate: { words: [now] }
    scheduled: { words: [tomorrow, later], detail: date }
  act_words: { transfer: [send], close_account: [close] }
facts:
  balance:
    measured_by: [{ tool: get_balance }]
tools:
  transfer:
    schema:
      type: object
      required: [amount, to]
      properties:
        amount: { type: number, maximum: 1000 }
        to: { type: object, required: [account], properties: { account: { type: string } } }
        memo: { type: string }
        currency: { const: EUR }
    slots:
      /amount: { reader: decimal }
      /memo: { sources: [user_answer, instruction] }
    conditions:
      covered: { require: args.amount <= balance.available }
`;

export const LIMITS = `
grounds: 1
checklist: ann/limits
declared_by: user
tools:
  transfer:
    conditions:
      limit: { require: args.amount <= 300, says: Never more than 300. }
      friend: { require: balance.owner == "ann" }
`;

export const NOW = user('Please send 250 to acc-77 now');
export const ARGS = { amount: 250, to: { account: 'acc-77' } };
export const AT = '2026-03-11T09:24:07.000Z';

/** The record of a proposal's verdict, which is always one that the published schema allows. */
export function recordOf(proposed: Proposed, run: RunInput = proposed.run): SkeletonRecord {
  const beside = { action_key: 'ann:transfer', resolved_at: AT };
  const record = renderRecord(run, proposed.verdict(), beside);
  // What is no JSON, such as a member that is there and undefined, would be lost on the way out.
  const written = JSON.parse(JSON.stringify(record)) as SkeletonRecord;
  SkeletonRecord.parse(written);
  return written;
}
