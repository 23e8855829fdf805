import { attributeOf, type Label } from '../declarations/labels.ts';
import { plainOf } from '../events/content.ts';
import type { Entry } from '../events/entry.ts';
import type { Json } from '../events/json.ts';
import type { Place } from '../events/place.ts';
import type { SlotState, Verdict } from '../events/verdict.ts';
import type { Source } from '../events/vocabulary.ts';
import { isInstance } from '../gate/expand.ts';
import { isGated, type RunInput, rulesFor } from '../gate/index.ts';
import type { Rules } from '../gate/rules-for.ts';
import { listSlots, proposedArguments, type ValueSlot } from '../gate/slot-list.ts';
import type { RequestStanding } from '../projections/request-standing.ts';
import type { CallStanding, Question } from '../projections/standing.ts';
import { slotCeiling, timesAsked } from './ceilings.ts';
import { approvalText, defaultAsk, intentText, slotsText } from './question-text.ts';
import { asksFor, openQuestions, showsTheSame } from './standing-question.ts';

/** A question as it is to be asked and recorded. */
export interface QuestionDraft {
  readonly about: 'intent' | 'tool' | 'slots' | 'approval';
  /** What an answer or a yes would settle; empty for intent and tool. */
  readonly slots: readonly AskedSlot[];
  readonly text: string;
  /** The values that a yes would approve, together. */
  readonly shown: readonly { readonly slot: string; readonly value: { readonly plain: Json } }[];
  readonly tool: string | null;
  readonly notices: readonly string[];
}

export interface AskedSlot {
  readonly slot: string;
  /** How it is asked for: the checklist's own words, or some made from its name. */
  readonly ask: string;
  /** A value of an earlier execution, to be shown as no more than that; with its place in the run. */
  readonly candidate: Place | null;
  readonly prior: Json | undefined;
}

export interface Asking {
  readonly questions: readonly QuestionDraft[];
  /** What may not be asked about any more. `slot` is null for intent and tool. */
  readonly ceilings: readonly {
    readonly about: 'intent' | 'tool' | 'slots';
    readonly slot: string | null;
    readonly asked: number;
  }[];
}

const NOTHING: Asking = { questions: [], ceilings: [] };

/**
 * Everything that the user can answer to a verdict, in one list: of an undetermined intent or tool one question, of an unknown
 * call its open values, what may be approved as it is shown, and the provider's notices. What is not the user's to answer (a
 * measurement, a declaration, what may stay open until the trigger) is not asked, nor what they refused to say or answered
 * already: there the proposal has to change. Pure. RULES R9, R13, R14, V3–V10.
 */
export function askingFor(
  run: RunInput,
  verdict: Verdict,
  standing: CallStanding,
  request: RequestStanding,
): Asking {
  if (!isGated(run, proposedArguments(run))) return NOTHING;
  // V2 and V5 are failures of a lookup: nobody is asked, and no ask is spent.
  if (verdict.rule === 'V3') return intentAsking(run, verdict, 'intent', request.asked.intent);
  if (verdict.rule === 'V6') return intentAsking(run, verdict, 'tool', request.asked.tool);
  return verdict.kind === 'unknown' ? slotsAsking(run, verdict, standing) : NOTHING;
}

/** Only the questions of `askingFor`. */
export function questionsFor(
  run: RunInput,
  verdict: Verdict,
  standing: CallStanding,
  request: RequestStanding,
): readonly QuestionDraft[] {
  return askingFor(run, verdict, standing, request).questions;
}

function intentAsking(run: RunInput, verdict: Verdict, about: 'intent' | 'tool', asked: number): Asking {
  // The gate counts: what it was judged with, it says to be exhausted. RULES R13.
  if (verdict.exhausted) return { questions: [], ceilings: [{ about, slot: null, asked }] };
  if (asked >= 2) return NOTHING;
  const text = intentText(run, verdict.intent);
  return { questions: [{ about, slots: [], text, shown: [], tool: null, notices: [] }], ceilings: [] };
}

function slotsAsking(run: RunInput, verdict: Verdict, standing: CallStanding): Asking {
  const rules = rulesFor(run);
  const { slots } = listSlots(run, rules);
  const waiting = openQuestions(standing);
  const open = new Map<string, Open>();
  const spent = new Set<string>();
  const ceilings: Asking['ceilings'][number][] = [];
  for (const state of verdict.slots ?? []) {
    const { slot } = state;
    if (!isAskable(state) || refusedToSay(standing, slot)) continue;
    const ceiling = slotCeiling(run, slot);
    const asked = timesAsked(standing, slot);
    const isSpent = ceiling !== null && asked >= ceiling;
    // What is still open is not asked again by standing in the list.
    if (isSpent && waiting.some((question) => asksFor(question, slot))) spent.add(slot);
    if (isSpent && !spent.has(slot)) ceilings.push({ about: 'slots', slot, asked });
    else open.set(slot, state);
  }

  const approvals = approvalsThatStand(run, rules, slots, open, spent, verdict, waiting);
  const given = slots.flatMap((slot) => {
    const state = open.get(slot.id);
    if (state === undefined || !canBeSaid(slot, state)) return [];
    const askedAlready = waiting.some(
      (question) => question.data.about === 'slots' && asksFor(question, slot.id),
    );
    return spent.has(slot.id) && !askedAlready ? [] : [askedSlot(run, slot, state)];
  });
  const notices = rules.labels.flatMap((label) =>
    label.kind === 'notice' && open.has(label.id) ? [label.text] : [],
  );
  const tool = run.tool_digest;
  const forms: QuestionDraft[] = [];
  // A notice is shown once, beside what the user decides on: it stands on the first approval, else with the values.
  const besideValues = approvals.length === 0 ? notices : [];
  if (given.length > 0 || besideValues.length > 0) {
    const text = slotsText(given, besideValues);
    forms.push({ about: 'slots', slots: given, text, shown: [], tool, notices: besideValues });
  }
  approvals.forEach(({ asks, shown, labels }, index) => {
    const beside = index === 0 ? notices : [];
    forms.push({
      about: 'approval',
      slots: asks,
      text: approvalText(shown, labels, beside),
      shown,
      tool,
      notices: beside,
    });
  });
  return { questions: forms, ceilings };
}

type Open = SlotState & { readonly state: 'unknown' };

function isAskable(state: SlotState): state is Open {
  return state.state === 'unknown' && state.route === 'ask_user' && !state.pending;
}

/** Who said no to giving a value is not asked for it again in this call. */
function refusedToSay({ questions }: CallStanding, slot: string): boolean {
  return questions.some(
    ({ declined, data }) =>
      declined && data.about === 'slots' && data.slots.some((asked) => asked.slot === slot),
  );
}

/** The user gives it: in a form, or where only their words count, by typing it. */
function canBeSaid({ sources }: ValueSlot, { rule }: Open): boolean {
  // R7c: each value stands somewhere; only the whole can be approved. R7b: they answered; now the proposal has to change.
  if (rule === 'R7c' || rule === 'R7b') return false;
  return sources.includes('user_answer') || sources.includes('instruction');
}

/** Rows of the settling table that end before an approval is looked at. */
const BEFORE_APPROVALS: readonly string[] = ['S5', 'R7b', 'S8', 'S9'];

function canBeApproved({ sources, leaf }: ValueSlot, { rule }: Open): boolean {
  if (leaf === undefined) return false;
  return rule === 'R7c' || (sources.includes('pre_set_data') && !BEFORE_APPROVALS.includes(rule));
}

function askedSlot(run: RunInput, slot: ValueSlot, state: Open): AskedSlot {
  const prior = state.candidate === null ? undefined : candidateOf(run.entries, state.candidate);
  return {
    slot: slot.id,
    ask: slot.rule?.ask ?? defaultAsk(slot.id),
    candidate: prior === undefined ? null : state.candidate,
    prior: prior?.value,
  };
}

/** A prior value and where it came from; one without an origin is ignored. RULES R10. */
export function candidateOf(
  entries: readonly Entry[],
  place: Place,
): { readonly value: Json; readonly origin: Source } | undefined {
  if (place.in !== 'entry') return undefined;
  const entry = entries[place.entry];
  if (entry?.kind !== 'baseline') return undefined;
  const item = entry.slots[Number(place.pointer.split('/')[2])];
  return item?.origin == null ? undefined : { value: plainOf(item.value), origin: item.origin };
}

interface Approval {
  readonly asks: readonly AskedSlot[];
  readonly shown: QuestionDraft['shown'];
  readonly labels: readonly string[];
}

/** Approvals that would be asked anew leave out what may not be asked for any more. */
function approvalsThatStand(
  run: RunInput,
  rules: Rules,
  slots: readonly ValueSlot[],
  open: ReadonlyMap<string, Open>,
  spent: ReadonlySet<string>,
  verdict: Verdict,
  waiting: readonly Question[],
): Approval[] {
  const approvals = approvalsOf(run, rules, slots, open, verdict);
  if (spent.size === 0) return approvals;
  const stands = (approval: Approval): boolean =>
    waiting.some((question) => showsTheSame(question, { shown: approval.shown, tool: run.tool_digest }));
  if (approvals.every(stands)) return approvals;
  const left = new Map([...open].filter(([slot]) => !spent.has(slot)));
  return approvalsOf(run, rules, slots, left, verdict);
}

/**
 * What a yes could settle. Each [Verify] with all the values that it is bound to; each group whole, since its leaves are true only
 * together (R7c); and what is left in one. What is approved together is approved or declined together.
 */
function approvalsOf(
  run: RunInput,
  rules: Rules,
  slots: readonly ValueSlot[],
  open: ReadonlyMap<string, Open>,
  verdict: Verdict,
): Approval[] {
  const approvals: Approval[] = [];
  const covered = new Set<string>();
  const add = (members: readonly ValueSlot[], label: Verify | null): void => {
    const shown = [
      ...(label === null ? [] : [{ slot: label.id, value: { plain: label.text } }]),
      ...members.map(({ id, leaf }) => ({ slot: id, value: { plain: leaf as Json } })),
    ];
    const asks = [
      ...(label === null ? [] : [{ slot: label.id, ask: label.text, candidate: null, prior: undefined }]),
      ...members.flatMap((slot) => {
        const state = open.get(slot.id);
        if (state === undefined || !canBeApproved(slot, state)) return [];
        covered.add(slot.id);
        return [{ ...askedSlot(run, slot, state), candidate: null, prior: undefined }];
      }),
    ];
    approvals.push({ asks, shown, labels: label === null ? [] : [label.text] });
  };

  const answeredOtherwise = new Set(
    (verdict.slots ?? []).flatMap((state) =>
      state.state === 'unknown' && state.rule === 'R7b' ? [state.slot] : [],
    ),
  );
  const showable = (members: readonly ValueSlot[]): boolean =>
    members.every(({ id, leaf }) => leaf !== undefined && !answeredOtherwise.has(id));

  for (const label of rules.labels) {
    const state = open.get(label.id);
    // One that waits for values may yet lie within a standing range: they are asked for first.
    if (label.kind !== 'verify' || state === undefined || state.reason === 'waits_for') continue;
    const on = attributeOf(label, 'on')?.pointers;
    const bound = slots.filter(({ id }) => on === undefined || on.some((pattern) => isInstance(id, pattern)));
    if (showable(bound)) add(bound, label as Verify);
  }
  const rest: ValueSlot[] = [];
  for (const slot of slots) {
    const state = open.get(slot.id);
    if (state === undefined || covered.has(slot.id) || !canBeApproved(slot, state)) continue;
    const group = groupOf(rules, slot);
    if (group === null) rest.push(slot);
    else {
      const members = slots.filter(({ id }) => group.some((each) => isUnder(id, each)));
      if (showable(members)) add(members, null);
    }
  }
  if (rest.length > 0) add(rest, null);
  return approvals;
}

type Verify = Label & { readonly kind: 'verify' };

/** The arrays whose elements belong together: as declared, else the array that the slot stands in. */
function groupOf(rules: Rules, { id, pattern }: ValueSlot): readonly string[] | null {
  const declared = rules.groups.find(({ of }) => of.some((each) => isUnder(id, each)));
  if (declared !== undefined) return declared.of;
  const star = pattern.lastIndexOf('/*/');
  return star < 0 ? null : [pattern.slice(0, star + 2)];
}

function isUnder(id: string, each: string): boolean {
  const depth = each.split('/').length;
  return isInstance(id.split('/').slice(0, depth).join('/'), each);
}
