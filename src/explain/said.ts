import type { DataOf } from '../events/index.ts';
import type { Place } from '../events/place.ts';
import type { SlotState } from '../events/verdict.ts';
import type { Source } from '../events/vocabulary.ts';
import { isTyped } from '../gate/conversation.ts';
import { keyGroups } from '../gate/facts.ts';
import { pathsOf } from '../gate/measuring.ts';
import type { FactRule, Rules } from '../gate/rules-for.ts';
import type { ValueSlot } from '../gate/slot-list.ts';
import type { RunInput } from '../gate/types.ts';
import type { Said, Where } from './schema.ts';
import { plural } from './sentences.ts';
import type { Shows } from './where.ts';

type Walks = readonly DataOf<'LookupPerformed'>[];
type Answer = Walks[number]['answers'][number];

/** What is said from: a run, its rules, and what its lookups said. */
export interface Heard {
  readonly run: RunInput;
  readonly rules: Rules;
  readonly walks: Walks;
  readonly shows: Shows;
}

/** What each allowed source said of a slot, in the order in which they were asked. */
export function saidOf(heard: Heard, slot: ValueSlot, state: SlotState): Said[] {
  const said: Said[] = [];
  const answers = heard.walks.flatMap((walk) =>
    'slot' in walk.subject && walk.subject.slot === slot.id ? walk.answers : [],
  );
  for (const source of slot.sources) {
    if (source === 'measured_data') {
      const facts = [...new Set(pathsOf(heard.rules, slot).map(({ fact }) => fact))];
      for (const fact of facts)
        said.push(...factSaid(heard, fact, indexOf(heard, fact, slot.id), slot, state));
      continue;
    }
    const own = answers.filter((answer) => answer.source === source);
    // Words that name a record are asked for a second time; that they are absent too says nothing more.
    const telling = own.filter(({ outcome }, index) => index === 0 || outcome.said !== 'absent');
    for (const answer of telling) said.push(sourceSaid(heard, source, slot, state, answer));
  }
  return said;
}

function sourceSaid(heard: Heard, source: Source, slot: ValueSlot, state: SlotState, answer: Answer): Said {
  const { outcome } = answer;
  const where = placesOf(answer).flatMap((place) => heard.shows(place) ?? []);
  const common = { source, fact: null, code: null, where };
  switch (outcome.said) {
    case 'claim':
      return { ...common, outcome: 'claim', says: claimSays(source, state, where[0]) };
    case 'nothing':
      return { ...common, outcome: 'nothing', says: 'the user said that there is none' };
    case 'absent':
      return { ...common, outcome: 'absent', says: absentSays(heard, source, slot) };
    case 'no_place':
      return { ...common, outcome: 'no_place', says: 'there is no place for it here' };
    case 'unfinished':
      return { ...common, outcome: 'unfinished', says: 'not finished' };
    case 'failed':
      return { ...common, outcome: 'failed', says: `failed: ${outcome.code}`, code: outcome.code };
  }
}

function claimSays(source: Source, state: SlotState, first: Where | undefined): string {
  const refused = state.rejected.find((rejected) => rejected.source === source)?.reason;
  const words = first?.quoted === null || first === undefined ? 'something else' : `“${first.quoted}”`;
  switch (source) {
    case 'user_answer':
      return refused === undefined ? 'answered' : `the user answered ${words}`;
    case 'instruction':
      if (refused === 'differs_from_proposal') return `the user said ${words} here`;
      return refused === undefined ? `${words} is in what the user typed` : `${words} can not confirm it`;
    case 'pre_set_data':
      if (refused === 'differs_from_proposal') return `settled earlier as ${words}`;
      return refused === undefined ? `${words} was approved or settled` : `${words} can not confirm it`;
    default:
      return `the last executed record had ${words}: a candidate, which confirms nothing`;
  }
}

function absentSays(heard: Heard, source: Source, slot: ValueSlot): string {
  switch (source) {
    case 'user_answer':
      return 'no answer';
    case 'instruction': {
      if (slot.leaf === undefined) return 'the call carried nothing to look for';
      const typed = heard.run.segments.filter((segment) => isTyped(segment)).length;
      return `not in ${plural(typed, 'typed message')}`;
    }
    case 'pre_set_data':
      return slot.rule?.setting === undefined
        ? 'no approval, no setting'
        : `no approval, no setting ${slot.rule.setting}`;
    default:
      return 'no earlier record';
  }
}

/** What measuring one fact came to; with a slot, what its record said of it. */
export function factSaid(
  heard: Heard,
  id: string,
  index: number | null,
  slot: ValueSlot | null,
  state: SlotState | null,
): Said[] {
  const rule = heard.rules.facts.find((fact) => fact.id === id);
  const common = { source: 'measured_data' as const, fact: id, code: null, where: [] };
  if (rule === undefined) return [];
  const walks = heard.walks.filter(
    ({ subject }) => 'fact' in subject && subject.fact === id && (index === null || subject.index === index),
  );
  if (walks.length === 0) {
    const keys = [...new Set(keyGroups(rule).flatMap(({ refs }) => refs))].filter((ref) => ref !== 'typed');
    const says = keys.length === 0 ? `${id} was not asked for` : `${id} waits for ${keys.join(', ')}`;
    return [{ ...common, outcome: 'waits', says }];
  }
  return walks.map((walk): Said => {
    const answer = walk.answers.findLast(({ outcome }) => outcome.said !== 'absent') ?? walk.answers.at(-1);
    if (answer === undefined) return { ...common, outcome: 'absent', says: absentFact(heard, rule, false) };
    const where = placesOf(answer).flatMap((place) => heard.shows(place) ?? []);
    switch (answer.outcome.said) {
      case 'claim':
        return { ...common, outcome: 'claim', ...recordSays(heard, rule, where, slot, state) };
      case 'failed':
        return {
          ...common,
          outcome: 'failed',
          says: `${id} could not be read: ${answer.outcome.code}`,
          code: answer.outcome.code,
        };
      case 'unfinished':
        return {
          ...common,
          outcome: 'unfinished',
          says: `${id} was measured, but a later call made it stale`,
        };
      case 'no_place':
        return { ...common, outcome: 'no_place', says: `${id} has no place here` };
      default:
        return { ...common, outcome: 'absent', says: absentFact(heard, rule, answer.by === 'hook') };
    }
  });
}

function recordSays(
  heard: Heard,
  fact: FactRule,
  records: Where[],
  slot: ValueSlot | null,
  state: SlotState | null,
): { says: string; where: Where[] } {
  const tool = records.find((where) => where.in !== 'entry')?.tool ?? fact.measured_by[0]?.tool ?? fact.id;
  const refused = state?.rejected.find(({ source }) => source === 'measured_data');
  const at = heard.shows(refused?.place);
  const where = at === null ? records : [at];
  switch (refused?.reason) {
    case 'choice_not_confirmed':
      return { says: `stands in what ${tool} returned, but choosing among several is not confirmed`, where };
    case 'not_a_member':
      return { says: `not among what ${tool} returned`, where };
    case 'differs_from_proposal':
      return { says: `${tool} returned “${at?.quoted ?? ''}” here`, where };
    default: {
      const paths = slot === null ? [] : pathsOf(heard.rules, slot).filter((path) => path.fact === fact.id);
      const names = paths.map(({ path }) => path || '/').join(', ');
      return {
        says:
          slot === null
            ? `${fact.id} was measured by ${tool}`
            : `${tool} returned nothing for it at ${names}`,
        where,
      };
    }
  }
}

/** @param asked a measuring hook was asked for it, and had nothing */
function absentFact({ run }: Heard, fact: FactRule, asked: boolean): string {
  const tools = [...new Set(fact.measured_by.map(({ tool }) => tool))];
  const called = tools.filter((tool) => run.segments.some((segment) => segment.observes?.tool === tool));
  const keys = [...new Set(keyGroups(fact).flatMap(({ refs }) => refs))];
  if (called.length === 0 && asked)
    return `${tools.join(', ')} ${tools.length === 1 ? 'was' : 'were'} asked and said nothing of ${fact.id}`;
  if (called.length === 0) return `${tools.join(', ')} ${tools.length === 1 ? 'was' : 'were'} not called`;
  const named = keys.map((key) => (key === 'typed' ? 'a typed value' : key));
  const by = named.length === 0 ? '' : ` with this ${named.join(', ')}`;
  return `${called.join(', ')} returned no ${fact.id}${by}`;
}

function placesOf({ outcome }: Answer): Place[] {
  if (outcome.said === 'claim')
    return outcome.claims.map(({ at, by }) => (at.in === 'text' ? at : (by ?? at)));
  return outcome.said === 'nothing' ? [outcome.place] : [];
}

/** Of a fact declared for each element: the element that a slot lies in. */
function indexOf({ rules }: Heard, fact: string, slot: string): number | null {
  const each = rules.facts.find(({ id }) => id === fact)?.each;
  if (each === undefined) return null;
  const part = slot.split('/')[each.split('/').length - 1];
  return part !== undefined && /^[0-9]+$/.test(part) ? Number(part) : null;
}
