import { z } from 'zod';
import type { LoadedChecklist } from '../declarations/load.ts';
import { isObject, type Json } from '../events/json.ts';
import { Responder } from '../events/responder.ts';
import type { Askable } from './ask.ts';
import { checked } from './given.ts';

const name = z.string().min(1);
const object = z.custom((value) => isObject(value as Json), { error: 'is not an object' });

const By = z.strictObject({
  user: name.nullable(),
  known_by: Responder.shape.known_by,
  said: z.unknown().optional(),
});

const SAYS = ['value', 'text', 'none', 'candidate'];
const Answer = z
  .looseObject({ slot: name, text: z.string().optional() })
  .refine((given) => SAYS.some((key) => Object.hasOwn(given, key)), { error: 'answers nothing' });

const Decided = z.looseObject({ question: name, by: By });
const Answered = Decided.extend({ answers: z.array(Answer) });
const Revoked = z.looseObject({ call: name, approval: name, by: By });
const Judged = z.looseObject({ call: name, run: name, verdict: object, input: object });

const BY =
  'Give by: { user, known_by }: whose reply it is (null: nobody knows), and how that is known: "typed", "form", "channel" or "caller".';
const ANSWERS =
  'Give { question, by, answers }: the question’s id as ask gave it, and a list of { slot, value }, { slot, text }, { slot, none: true } or { slot, candidate: true }.';

const hintOf = (path: string | undefined): string => (path === 'by' ? BY : ANSWERS);

/** @throws GroundsError `preflight/input` (facts: `path`, `problems`); so do the others */
export function answeredGiven<T>(given: T): T {
  return checked(Answered, given, [], hintOf);
}

export function decidedGiven<T>(given: T): T {
  return checked(Decided, given, [], (path) =>
    path === 'by' ? BY : 'Give { question, by }: the question’s id as ask gave it, and whose reply it is.',
  );
}

export function revokedGiven<T>(given: T): T {
  return checked(Revoked, given, [], (path) =>
    path === 'by'
      ? BY
      : 'Give { call, approval, by }: the approval is named by the event that approve gave back.',
  );
}

export function judgedGiven(given: Askable): Askable {
  return checked(Judged, given, [], () => 'Give what judge gave back, as it is.');
}

const Loaded = z.looseObject({ digest: name, checklist: object });

/** A path or a text of one is read by nothing here: whoever loads it sees what is wrong with it, and where. */
export function checklistsGiven(given: readonly LoadedChecklist[]): readonly LoadedChecklist[] {
  return checked(
    z.array(Loaded),
    given,
    ['checklists'],
    () =>
      'Checklists are loaded objects: give [loadChecklistFile("policy.yaml")], or [parseChecklist(text, "policy.yaml")].',
  );
}
