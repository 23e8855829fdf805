import { plainOf } from '../../src/events/content.ts';
import type { DataOf } from '../../src/events/index.ts';
import type { Json } from '../../src/events/json.ts';
import { at as valueAt } from '../../src/events/pointer.ts';
import type { Around } from '../../src/preflight/around.ts';
import type { By } from '../../src/preflight/by.ts';
import { answer, approve, decline, revoke } from '../../src/preflight/reply.ts';
import { keep } from '../../src/preflight/settings.ts';
import type { CallStanding, Question } from '../../src/projections/standing.ts';
import { standingOf } from '../../src/runs/standing.ts';
import type { Dice } from '../laws/dice.ts';

export const ANN: By = { user: 'ann', known_by: 'form' };

/** Names of settings, each with the slot that takes it. */
export const SETTINGS: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['from', '/from'],
  ['usual', '/amount'],
  ['express', '/express'],
  ['note', '/note'],
];

/** The user says what was proposed: that is what they meant. */
export function serve(
  around: Around,
  meant: Json,
  { run }: CallStanding,
  { id, data, open }: Question,
): Promise<unknown> {
  if (data.about === 'approval') return approve(around, { question: id, by: ANN });
  const prepared = run?.started.proposal?.prepared ?? null;
  const proposed = prepared === null ? null : plainOf(prepared);
  const answers = open.map((slot) => {
    const value = valueAt(proposed, slot) ?? valueAt(meant, slot);
    if (value === undefined) return { slot, none: true as const };
    return typeof value === 'string' ? { slot, text: value } : { slot, value };
  });
  return answer(around, { question: id, by: ANN, answers });
}

/** Any click on any question there ever was; mostly one of the newest. */
export async function reply(around: Around, meant: Json, nobodys: string, dice: Dice): Promise<unknown> {
  const questions = [...around.log.readSync({ types: ['QuestionAsked'] })].flat();
  const back = dice.pick([0, 0, 0, 1, 1, 2, 5, 9]);
  const row = questions[questions.length - 1 - back];
  const question = row?.event.id ?? nobodys;
  const data = row?.event.data as DataOf<'QuestionAsked'> | undefined;
  const by: By = dice.rarely(8) ? { user: null, known_by: 'caller' } : ANN;
  if (data?.about === 'approval' ? !dice.rarely(4) : dice.rarely(8))
    return dice.rarely(4) ? decline(around, { question, by }) : approve(around, { question, by });
  const slots = data?.slots.map(({ slot }) => slot) ?? [];
  const slot = slots[dice.below(slots.length + 1)] ?? 'intent';
  const value = valueAt(meant, slot);
  const said = dice.pick([
    { slot, value: value ?? 'B2' },
    { slot, text: typeof value === 'object' ? 'B2' : String(value ?? 'send it now') },
    { slot, value: dice.pick<Json>(['C3', 50, true, null]) },
    { slot, text: dice.pick(['C3', '50', 'send', 'later, on 2024-05-20']) },
    { slot, none: true as const },
    { slot, candidate: true as const },
  ]);
  return answer(around, { question, by, answers: [said] });
}

export async function revokeSome(
  around: Around,
  calls: Iterable<string>,
  call: string | null,
  dice: Dice,
): Promise<unknown> {
  const approvals = [...calls].flatMap((each) =>
    [...(standingOf(around.log, each)?.approvals.keys() ?? [])].map((id) => ({ call: each, id })),
  );
  const found = approvals[approvals.length - 1 - dice.pick([0, 0, 1, 3])];
  if (call === null || found === undefined) return;
  const of = dice.rarely(9) ? call : found.call;
  return revoke(around, { call: of, approval: found.id, by: ANN });
}

/** What was answered or executed somewhere, mostly under the name that its slot takes. */
export async function keepSome(around: Around, calls: Iterable<string>, dice: Dice): Promise<unknown> {
  const used = [...calls].flatMap((call) => {
    const standing = standingOf(around.log, call);
    const answers = standing?.said.flatMap(({ event, entry }) =>
      entry.kind === 'answer' ? [{ call, slot: entry.slot, answer: event }] : [],
    );
    const executed = (standing?.starts.length ?? 0) > 0 ? SETTINGS.map(([, slot]) => ({ call, slot })) : [];
    return [...(answers ?? []), ...executed];
  });
  const from = used[dice.below(used.length + 1)];
  if (from === undefined) return;
  const own = SETTINGS.find(([, slot]) => slot === from.slot)?.[0];
  const name = own === undefined || dice.rarely(5) ? dice.pick(SETTINGS)[0] : own;
  const consent = dice.rarely(9) ? { ...ANN, user: 'bob' } : ANN;
  return keep(around, { user: 'ann', name, from, consent });
}
