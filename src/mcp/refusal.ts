import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { isGroundsError } from '../errors.ts';
import type { Json } from '../events/json.ts';
import type { SlotState, Verdict } from '../events/verdict.ts';
import type { Execution, Refusal } from '../executor/index.ts';
import type { Judged } from '../preflight/judge.ts';
import { valueWords } from '../preflight/question-text.ts';

/** The key in a result's `_meta` that holds the same as `structuredContent.grounds`; it is there for every tool. */
export const REFUSAL_KEY = 'grounds/refusal';

/** A question of a refusal, as the host may put it to its user. */
export interface OpenQuestion {
  readonly id: string;
  readonly about: 'intent' | 'tool' | 'slots' | 'approval';
  readonly slots: readonly string[];
  readonly text: string;
}

/** What the agent is told of a no. */
export const DECLINED = 'The user declined. Do not propose it again unless they ask for it.';

/** How a refusal is made: the agent reads the text, a program the rest. */
export interface RefusalForm {
  /**
   * The tool declares what its structured content looks like: a host would take ours for a broken result. What is said then
   * stands under `_meta` only.
   */
  readonly declaresOutput: boolean;
}

/**
 * Why a judged call was not executed, with every blank that is left. While the tool is undetermined it names none, and no more
 * than the user's own words say of the intent. RULES R14.
 */
export function notExecutable(
  { call, run, verdict, answered_otherwise }: Judged,
  questions: readonly OpenQuestion[],
  form: RefusalForm,
  further: readonly string[] = [],
): CallToolResult {
  const undetermined = verdict.slots === null;
  const unknown = [...verdict.intent, ...(verdict.slots ?? [])].filter(isUnknown);
  const grounds = {
    call,
    run,
    verdict: verdict.kind,
    exhausted: verdict.exhausted,
    unknown: unknown.map(({ slot, reason, route, waits_for }) => ({
      slot,
      reason,
      route,
      ...(undetermined || waits_for.length === 0 ? {} : { waits_for }),
    })),
    unmet: verdict.unmet.map(({ slot, reason, declared_by }) => ({ slot, reason, declared_by })),
    defects: undetermined ? [] : verdict.defects.map(({ at, reason }) => ({ at, reason })),
    questions,
    answered: answered_otherwise.map(({ slot, value }) => ({ slot, value })),
  };
  const refusedByUser = verdict.unmet.some(({ reason }) => reason === 'declined');
  const said = [...new Set([...further, ...(refusedByUser ? [DECLINED] : [])])];
  const lines = [
    `Not executed: ${headline(verdict, unknown)}`,
    ...answered_otherwise.map(
      ({ slot, value }) => `The user answered ${valueWords(value)} for ${slot}: propose it with that.`,
    ),
    ...questions.map(({ text }) => `Ask the user: ${text}`),
    ...said,
    // Whoever reads that the user said no must not read how to go on as if they had not.
    ...(said.includes(DECLINED)
      ? []
      : [`When that is settled, propose it again with _meta["grounds/context"].call = "${call}".`]),
  ];
  return refusal(lines, grounds as unknown as Json, form);
}

type Unknown = SlotState & { readonly state: 'unknown' };

function isUnknown(state: SlotState): state is Unknown {
  return state.state === 'unknown';
}

function headline(verdict: Verdict, unknown: readonly Unknown[]): string {
  const blanks = unknown.map(({ slot, reason }) => `${slot} (${reason})`).join(', ');
  switch (verdict.kind) {
    case 'intent_undetermined':
      return verdict.exhausted
        ? 'what the user wants, and when, stayed open after the questions that may be asked.'
        : 'what the user wants, and when, is not settled by what they typed.';
    case 'tool_undetermined':
      return 'it is not settled that this is what the user asked for.';
    case 'unmet':
      return unmetWords(verdict.unmet);
    case 'definition_repair':
      return `something that was declared has to be repaired first${blanks === '' ? '' : `: ${blanks}`}. No answer of the user's helps.`;
    case 'schedulable':
      return 'the user asked for it at a later time. It is kept, and waits for its trigger.';
    default:
      return `these are not confirmed: ${blanks}.`;
  }
}

/** A value that the user said no to, or one that its schema does not allow, is no condition. */
function unmetWords(unmet: Verdict['unmet']): string {
  const listed = (of: Verdict['unmet']): string =>
    of.map(({ slot, reason }) => `${slot} (${reason})`).join(', ');
  const conditions = unmet.filter(({ slot, reason }) => !slot.startsWith('/') && reason !== 'declined');
  const others = unmet.filter((one) => !conditions.includes(one));
  return [
    ...(conditions.length === 0 ? [] : [`these conditions are not met: ${listed(conditions)}.`]),
    ...(others.length === 0 ? [] : [`it can not be made as it is proposed: ${listed(others)}.`]),
  ].join(' ');
}

/** It was sent, or may have been: proposing it again would not be what the user asked for. */
const STARTED: readonly string[] = ['consumed', 'repeated'];

/** The executor did not make a call whose verdict was executable. RULES R16. */
export function notStarted(
  { call, run, verdict }: Judged,
  refused: Pick<Extract<Execution, { decision: 'refuse' }>, 'refused'>,
  says: (reason: Refusal) => string,
  form: RefusalForm,
): CallToolResult {
  const reasons = [...refused.refused];
  return refusal(
    [
      `Not executed: ${reasons.map(says).join('; ')}.`,
      reasons.some((reason) => STARTED.includes(reason))
        ? 'Do not propose it again: only where the user asks for it anew is it a new request.'
        : 'Read what is new, and propose it again if it still holds.',
    ],
    { call, run, verdict: verdict.kind, refused: reasons, unknown: [], unmet: [], questions: [] },
    form,
  );
}

/** It was started and nobody knows its end: it may have had its effect. Never sent again. CASES 14, 15. */
export function outcomeUnknown(
  of: {
    readonly call: string;
    readonly run: string | null;
    readonly start: string | null;
    readonly code: string | null;
  },
  form: RefusalForm,
): CallToolResult {
  return refusal(
    [
      'This call was started, and nobody knows whether it took effect' +
        (of.code === null ? '.' : ` (${of.code}).`),
      'It is not sent again. Look whether the effect is there; then a person or a measurement settles it: grounds reconcile.',
    ],
    { ...of, verdict: 'executable', outcome: 'unknown', unknown: [], unmet: [], questions: [] },
    form,
  );
}

/** Nothing happened: the server could not be reached. */
export function notReached(
  of: { readonly call: string; readonly run: string; readonly start: string; readonly code: string | null },
  form: RefusalForm,
): CallToolResult {
  return refusal(
    ['Not executed: the server could not be reached, so nothing was done.'],
    { ...of, verdict: 'executable', outcome: 'failed', unknown: [], unmet: [], questions: [] },
    form,
  );
}

/** Something else stood in the way: the log, or what the host brought. Nothing was executed. */
export function faulted(error: unknown, form: RefusalForm): CallToolResult {
  const told = isGroundsError(error)
    ? { code: error.code, message: error.message, hint: error.hint }
    : { code: 'mcp/internal', message: error instanceof Error ? error.message : String(error), hint: '' };
  return refusal([`Not executed: ${told.message} ${told.hint}`.trim()], { error: told }, form);
}

function refusal(lines: readonly string[], grounds: Json, { declaresOutput }: RefusalForm): CallToolResult {
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    ...(declaresOutput ? {} : { structuredContent: { grounds } }),
    isError: true,
    _meta: { [REFUSAL_KEY]: grounds },
  };
}
