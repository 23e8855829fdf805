import type { SlotState, Verdict } from '../events/verdict.ts';
import { TIMINGS, type Timing } from '../events/vocabulary.ts';
import { findWords } from '../gate/conversation.ts';
import type { Segment } from '../gate/types.ts';
import { openOf } from './record.ts';
import type { Heard } from './said.ts';
import type { Act, Tool, When, Where } from './schema.ts';
import { REASON_SAYS } from './sentences.ts';

/** What, when and which tool, as far as the verdict came. */
export function intentOf(
  heard: Heard,
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
            timing: timingOf(heard, when, detail),
            detail: detail === undefined ? null : { id: detail.slot, ...settled(heard, detail) },
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

function timingOf(heard: Heard, when: SlotState, detail: SlotState | undefined): Timing | null {
  if (when.state !== 'known') return null;
  const { run, rules } = heard;
  const { place } = when;
  if (when.reason === 'unmarked') return 'immediate';
  if (place?.in === 'entry') {
    const entry = run.entries[place.entry];
    return entry?.kind === 'trigger' ? entry.timing : null;
  }
  if (detail !== undefined) return detail.slot.slice('when/'.length) as Timing;
  if (place?.in !== 'text') return null;
  const segment = run.segments[place.segment] as Segment;
  return (
    TIMINGS.find((kind) =>
      findWords(segment, rules.timing[kind]?.words ?? []).some(
        ({ start, end }) => start === place.start && end === place.end,
      ),
    ) ?? null
  );
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
