import type { DataOf } from '../events/index.ts';
import type { SlotState, Verdict } from '../events/verdict.ts';
import { findWords } from '../gate/conversation.ts';
import { type CallRecord, openOf } from './record.ts';
import type { Heard } from './said.ts';
import type { Act, Tool, When, Where } from './schema.ts';
import { REASON_SAYS } from './sentences.ts';
import { timingOf } from './timing.ts';

/** What, when and which tool, as far as the verdict came. */
export function intentOf(
  heard: Heard,
  record: CallRecord,
  verdict: Verdict,
): { when: When | null; act: Act | null; tool: Tool | null } {
  const state = (id: string): SlotState | undefined => verdict.intent.find(({ slot }) => slot === id);
  const when = state('when');
  const detail = verdict.intent.find(({ slot }) => slot.startsWith('when/'));
  const act = state('act');
  const tool = state('tool');
  const tools = act === undefined ? [] : toolsMeant(heard, settled(heard, act).where);
  return {
    when:
      when === undefined
        ? null
        : {
            ...settled(heard, when),
            timing: timingOf(heard.run, heard.rules, verdict),
            detail: detail === undefined ? null : { id: detail.slot, ...settled(heard, detail) },
            trigger: triggerOf(heard, record, when),
          },
    act: act === undefined ? null : settled(heard, act),
    tool:
      tool === undefined
        ? null
        : {
            ...settled(heard, tool),
            name: heard.run.tool.name,
            checklists:
              tool.reason === 'act_words' || tool.reason === 'other_act_said' ? wordLists(tools) : [],
            means: [
              ...new Set(tools.flatMap(({ tool }) => (tool === heard.run.tool.name ? [] : [tool]))),
            ].sort(),
          },
  };
}

/** What fired, where the timing was carried to a trigger, and the words that it waited by. */
function triggerOf(heard: Heard, { started, asked }: CallRecord, when: SlotState): When['trigger'] {
  if (when.state !== 'known' || when.reason !== 'carried') return null;
  // Again and again: the gate rests on the first that is carried; the run was made for the newest.
  const event = started?.entries.findLast(({ entry }) => entry.kind === 'trigger')?.event ?? null;
  const fired = event === null ? undefined : asked.get(event)?.event;
  if (event === null || fired?.type !== 'TriggerFired') return null;
  const { by, deferred } = fired.data as DataOf<'TriggerFired'>;
  const kept = asked.get(deferred)?.event;
  const until = kept?.type === 'CallDeferred' ? (kept.data as DataOf<'CallDeferred'>).until : null;
  // A request lies in one conversation, and so do the words of it.
  const own = until?.conversation === started?.conversation ? until?.at : null;
  return { event, by, at: fired.at, until: heard.shows(own) };
}

/** What every settled slot says of itself. */
export function settled(heard: Heard, state: SlotState): Act {
  return {
    state: state.state,
    reason: state.reason,
    says: REASON_SAYS[state.reason],
    rule: state.rule,
    where: heard.shows(state.state === 'unknown' ? null : state.place),
    also: state.state === 'known' ? state.also : 0,
    route: state.state === 'unknown' ? state.route : null,
  };
}

interface Meant {
  readonly tool: string;
  readonly checklist: string;
}

/** Which tools the said words stand for, and which checklist says so. */
function toolsMeant({ run }: Heard, act: Where | null): Meant[] {
  if (act?.in !== 'text') return [];
  const segment = run.segments[act.segment];
  if (segment === undefined || typeof openOf(segment.body) !== 'string') return [];
  return run.checklists.flatMap(({ body }) =>
    Object.entries(body.intent.act_words).flatMap(([tool, words]) =>
      findWords(segment, words).some(({ start, end }) => start === act.start && end === act.end)
        ? [{ tool, checklist: body.checklist }]
        : [],
    ),
  );
}

function wordLists(meant: readonly Meant[]): string[] {
  return [...new Set(meant.map(({ checklist }) => checklist))];
}
