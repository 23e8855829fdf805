import { attributeOf, type Label } from '../../src/declarations/labels.ts';
import type { Json } from '../../src/events/json.ts';
import type { Lookup, LookupRequest } from '../../src/events/lookup.ts';
import type { Place } from '../../src/events/place.ts';
import { segmentsOf } from '../../src/events/pointer.ts';
import { REASONS, SOURCES, type Source, TIMINGS } from '../../src/events/vocabulary.ts';
import { compile, evaluate, needsOf } from '../../src/gate/cel/index.ts';
import { checkSchema, validatePayload } from '../../src/gate/payload.ts';
import { readerOf } from '../../src/gate/readers/index.ts';
import type { RunInput } from '../../src/gate/types.ts';
import {
  type FactOutcome,
  fieldsAt,
  type Instance,
  judgeRecords,
  questionsOf,
  recordAt,
} from './reference-facts.ts';
import { mixed } from './reference-groups.ts';
import {
  listSlots,
  measuredSign,
  namingFacts,
  pathsFor,
  readerName,
  type Sign,
  type Slot,
  schemaOf,
  signOf,
} from './reference-slots.ts';
import {
  all,
  equal,
  type InForce,
  inForce,
  named,
  plain,
  proposed,
  raw,
  standsIn,
  textAt,
  typedByUser,
  wordsIn,
} from './reference-world.ts';

export type Answer = (request: LookupRequest) => Lookup;
type Route = 'definition_repair' | 'system_lookup' | 'ask_user';

/** A state as the second opinion holds it: what a verdict's reader goes by. */
export interface State {
  readonly slot: string;
  readonly state: 'known' | 'null' | 'unknown';
  readonly reason: string;
  readonly source?: Source | null;
  readonly origin?: Source | null;
  readonly route?: Route;
  readonly pending?: boolean;
  readonly place?: Place | null;
}

export interface Opinion {
  readonly kind: string;
  readonly next_attempt: number | null;
  readonly exhausted: boolean;
  readonly intent: readonly State[];
  readonly slots: readonly State[] | null;
  readonly unknown_count: number | null;
  readonly unmet: readonly string[];
  readonly not_run: readonly string[];
  readonly reductions: readonly string[];
}

const unknown = (slot: string, reason: string, route: Route, pending = false): State => ({
  slot,
  state: 'unknown',
  reason,
  route,
  pending,
});

/** The verdict by the tables of the rules, worked out slowly; `answer` is the world. */
export function opinionOf(run: RunInput, answer: Answer): Opinion {
  const rules = inForce(run);
  const early = (kind: string, more: Partial<Opinion> = {}): Opinion => ({
    kind,
    next_attempt: null,
    exhausted: false,
    intent: [],
    slots: null,
    unknown_count: null,
    unmet: [],
    not_run: [],
    reductions: [],
    ...more,
  });
  // V1
  if (run.unsound.length > 0 || rules.defects.some(({ slot }) => slot === null))
    return early('definition_repair');
  const reductions = new Set<string>();
  const later = { is: false };
  const when = timing(run, rules, answer, reductions, later);
  const act = actAndTool(run, rules, answer, reductions);
  const intent = [...when, ...act];
  const unsettled = (id: string) =>
    intent.some(({ slot, state }) => slot.startsWith(id) && state === 'unknown');
  const so = { intent, reductions: [...reductions].sort() };
  const attempt = (spent: number) => ({ exhausted: spent >= 2, next_attempt: spent >= 2 ? null : spent + 1 });
  // V2 – V6
  if (intent.some(({ reason }) => reason === 'lookup_failed')) return early('intent_undetermined', so);
  if (unsettled('when') || unsettled('act'))
    return early('intent_undetermined', { ...so, ...attempt(run.attempts.intent) });
  if (run.action_key === 'failed') return early('definition_repair', so);
  if (unsettled('tool')) return early('tool_undetermined', { ...so, ...attempt(run.attempts.tool) });
  // R12: what runs later is judged at the instruction until its trigger fires.
  const phased: RunInput = later.is ? { ...run, phase: 'at_instruction' } : run;
  return { ...early(''), ...so, ...whole(phased, rules, answer, reductions) };
}

/** Words of a kind at a claimed place that the user typed in this request. */
function typedClaims(run: RunInput, lookup: Lookup): Place[] {
  if (lookup.outcome.said !== 'claim') return [];
  return lookup.outcome.claims
    .map(({ at }) => at)
    .filter(
      (at) =>
        at.in === 'text' &&
        at.segment >= run.request_from &&
        typedByUser(run.segments[at.segment]) &&
        standsIn(run, at),
    );
}

function says(run: RunInput, rules: InForce, place: Place, words: readonly string[]): boolean {
  return (
    place.in === 'text' &&
    wordsIn(run, rules, place.segment, words).some(
      ({ start, end }) => start === place.start && end === place.end,
    )
  );
}

/** R3. */
function timing(
  run: RunInput,
  rules: InForce,
  answer: Answer,
  reductions: Set<string>,
  later: { is: boolean },
): State[] {
  const trigger = run.entries.find((entry) => entry.kind === 'trigger');
  if (trigger !== undefined)
    return [
      { slot: 'when', state: 'known', reason: 'carried', source: 'instruction', origin: 'instruction' },
    ];
  const kinds = TIMINGS.filter((kind) => rules.intent.timing[kind] !== undefined);
  const undecidable = [unknown('when', 'timing_undecidable', 'ask_user')];
  let claimed = false;
  let said: typeof kinds = [];
  if (kinds.length > 0) {
    const lookup = answer({ subject: { slot: 'when' }, source: 'instruction', key: {} });
    if (lookup.outcome.said === 'failed') return [unknown('when', 'lookup_failed', 'definition_repair')];
    claimed = lookup.outcome.said === 'claim';
    const places = typedClaims(run, lookup);
    said = kinds.filter((kind) =>
      places.some((place) => says(run, rules, place, rules.intent.timing[kind]?.words ?? [])),
    );
  }
  const [kind] = said;
  if (kind === undefined) {
    if (rules.intent.unmarked_timing === undefined || claimed) return undecidable;
    reductions.add('unmarked_timing ');
    return [{ slot: 'when', state: 'known', reason: 'unmarked', source: null, origin: null }];
  }
  if (said.length > 1) return undecidable;
  later.is = kind !== 'immediate';
  const state: State = {
    slot: 'when',
    state: 'known',
    reason: 'located',
    source: 'instruction',
    origin: 'instruction',
  };
  const detail = rules.intent.timing[kind]?.detail;
  if (kind === 'immediate' || detail === undefined) return [state];
  const id = `when/${kind}`;
  const lookup = answer({ subject: { slot: id }, source: 'instruction', key: {} });
  if (lookup.outcome.said === 'failed') return [state, unknown(id, 'lookup_failed', 'definition_repair')];
  const slot = { id, decl: undefined, reader: readerOf(detail, rules.readers), leaf: undefined };
  const sign = signOf(
    run,
    rules,
    { ...slot, pattern: id, required: false, fixedBySchema: false, sources: [] },
    lookup,
  );
  // The time, event or threshold is looked for in this request's words only.
  const here = sign.is === 'V' && sign.place.in === 'text' && sign.place.segment >= run.request_from;
  return [state, here ? { ...state, slot: id } : unknown(id, 'timing_detail_missing', 'ask_user')];
}

/** R14. */
function actAndTool(run: RunInput, rules: InForce, answer: Answer, reductions: Set<string>): State[] {
  const lookup = answer({ subject: { slot: 'act' }, source: 'instruction', key: {} });
  if (lookup.outcome.said === 'failed') return [unknown('act', 'lookup_failed', 'definition_repair')];
  const places = typedClaims(run, lookup);
  const act: State = {
    slot: 'act',
    state: 'known',
    reason: 'located',
    source: 'instruction',
    origin: 'instruction',
  };
  const tool = (reason: string): State => ({
    slot: 'tool',
    state: 'known',
    reason,
    source: 'instruction',
    origin: 'instruction',
  });
  const notThis = (reason: string) => [act, unknown('tool', reason, 'ask_user')];
  if (rules.intent.single_tool) {
    reductions.add('single_tool ');
    // One tool needs no match; that something was asked for still stands in the user's words.
    return places.length === 0
      ? [unknown('act', 'act_not_said', 'ask_user')]
      : [{ ...act, reason: 'single_tool' }, tool('single_tool')];
  }
  const names = run.entries.flatMap((entry) =>
    entry.kind === 'tool_name' &&
    run.segments.some(
      (segment, i) =>
        i >= run.request_from && typedByUser(segment) && wordsIn(run, rules, i, [entry.word]).length > 0,
    )
      ? [entry.tool]
      : [],
  );
  if (names.length > 0)
    return names.includes(run.tool.name) ? [act, tool('user_action_name')] : notThis('other_act_said');
  const wordsOf = (name: string) =>
    (Object.hasOwn(rules.intent.act_words, name) ? rules.intent.act_words[name] : undefined) ?? [];
  if (places.some((place) => says(run, rules, place, wordsOf(run.tool.name))))
    return [act, tool('act_words')];
  const others = Object.keys(rules.intent.act_words).filter((name) => name !== run.tool.name);
  if (places.some((place) => others.some((name) => says(run, rules, place, wordsOf(name)))))
    return notThis('other_act_said');
  if (places.length === 0) return [unknown('act', 'act_not_said', 'ask_user')];
  const match = run.entries.filter((entry) => entry.kind === 'match').at(-1);
  if (match?.approved !== true) return notThis('match_refused');
  reductions.add('judged_intent ');
  return [act, tool('judged')];
}

type Said = Sign & { readonly source: Source };

interface Settled {
  readonly signs: readonly Said[];
  /** null: S19–S23 are still to be applied. */
  readonly state: State | null;
}

function whole(run: RunInput, rules: InForce, answer: Answer, reductions: Set<string>): Partial<Opinion> {
  const args = proposed(run);
  const { schema, fromProposal } = schemaOf(run, rules);
  const listed = listSlots(run, rules);
  const conditions = conditionsOf(run, rules);
  const computed = listed.slots.filter(({ decl }) => decl?.fixed_by !== undefined);
  const walked = listed.slots.filter(
    ({ decl, fixedBySchema }) => decl?.fixed_by === undefined && !fixedBySchema,
  );
  const instances = instancesNeeded(run, rules, listed.slots, conditions);
  const facts = new Map<string, FactOutcome>();
  const settled = new Map<string, Settled>();
  const instancesOf = (fact: string, slot: string): Instance[] => {
    const own = instances.filter(({ name }) => name === fact);
    const each = own[0]?.decl.each;
    if (each === undefined) return own;
    const mine = own.filter(({ index }) => under(slot, `${each.slice(0, -1)}${index}`));
    return mine.length > 0 ? mine : own;
  };

  // Walk the sources in order; null: something that it needs is still open.
  const walk = (slot: Slot): Settled | null => {
    const signs: Said[] = [];
    for (const source of slot.sources) {
      const said: (Sign | null)[] = [];
      if (source === 'measured_data')
        said.push(measuredSign(run, rules, slot, instancesOf, (id) => facts.get(id)));
      else {
        said.push(signOf(run, rules, slot, answer({ subject: { slot: slot.id }, source, key: {} })));
        const first = rowOf(run, slot, source, said[0] as Sign);
        if (first !== null) return { signs, state: first };
        if (source === 'instruction' || source === 'pre_set_data') {
          const key: Record<string, Place> = {};
          for (const fact of namingFacts(slot.decl)) {
            for (const { id } of instancesOf(fact, slot.id)) {
              const outcome = facts.get(id);
              if (outcome === undefined) return null;
              if (outcome.is === 'measured' && outcome.records[0] !== undefined)
                key[`${fact}#`] = outcome.records[0];
            }
          }
          if (Object.keys(key).length > 0) {
            said.push(signOf(run, rules, slot, answer({ subject: { slot: slot.id }, source, key })));
          }
        }
      }
      for (const sign of said) {
        if (sign === null) return null;
        const row = rowOf(run, slot, source, sign);
        if (row !== null) return { signs, state: row };
        signs.push({ ...sign, source });
      }
    }
    return { signs, state: null };
  };

  // R8b: one fact; undefined: open. `from`: where to begin, once a standstill passed over what waits.
  const settleFact = (instance: Instance, from: number): { outcome?: FactOutcome; ready?: number } => {
    const questions = questionsOf(instance.decl);
    const waits = new Set<string>();
    let asked = false;
    let blocked = false;
    let ready: number | undefined;
    for (const [position, { refs, alternatives }] of questions.entries()) {
      const key: Record<string, Place | null> = {};
      let dead = false;
      let open = false;
      for (const ref of refs) {
        if (ref === 'typed') key[ref] = null;
        else if (ref.startsWith('/')) {
          const id = instance.index === null ? ref : ref.replace('/*', `/${instance.index}`);
          const slot = walked.find((one) => one.id === id);
          const state = settled.get(id);
          if (slot === undefined) dead = true;
          else if (state === undefined) {
            open = true;
            waits.add(id);
          } else if (state.state?.state === 'known' && state.state.place != null)
            key[ref] = state.state.place;
          else {
            dead = true;
            waits.add(id);
          }
        } else {
          const [name = '', path = ''] = ref.split('#');
          const others = instances.filter((one) => one.name === name);
          const other = others.find(({ index }) => index === instance.index) ?? others[0];
          const outcome = other === undefined ? undefined : facts.get(other.id);
          waits.add(other?.id ?? name);
          if (outcome === undefined) open = true;
          else {
            const record = outcome.is === 'measured' ? outcome.records[0] : undefined;
            const field =
              record === undefined ? undefined : fieldsAt(run, (other as Instance).decl, record, path)[0];
            if (field === undefined) dead = true;
            else key[ref] = field.place;
          }
        }
      }
      if (dead) continue;
      if (open) {
        if (position >= from) blocked = true;
        continue;
      }
      if (blocked) {
        ready ??= position;
        continue;
      }
      const lookup = answer({
        subject: { fact: instance.name, index: instance.index },
        source: 'measured_data',
        key,
      });
      asked = true;
      const { outcome } = lookup;
      if (outcome.said === 'claim') {
        const readerFor = (id: string, value: Json) => {
          const slot = walked.find((one) => one.id === id);
          return readerName(slot?.decl, value);
        };
        return {
          outcome: judgeRecords(run, rules, instance, alternatives, lookup, outcome.claims, readerFor),
        };
      }
      if (outcome.said === 'failed' || outcome.said === 'unfinished')
        return { outcome: { is: outcome.said } };
    }
    if (blocked) return ready === undefined ? {} : { ready };
    return { outcome: asked ? { is: 'absent' } : { is: 'waits', on: [...waits] } };
  };

  const from = new Map<string, number>();
  for (;;) {
    let moved = false;
    for (const slot of walked) {
      if (settled.has(slot.id)) continue;
      const result = walk(slot);
      if (result === null) continue;
      settled.set(slot.id, result);
      moved = true;
    }
    let stuck: { id: string; ready: number } | null = null;
    for (const instance of instances) {
      if (facts.has(instance.id)) continue;
      const { outcome, ready } = settleFact(instance, from.get(instance.id) ?? 0);
      if (outcome !== undefined) {
        facts.set(instance.id, outcome);
        moved = true;
      } else if (stuck === null && ready !== undefined) stuck = { id: instance.id, ready };
    }
    if (moved) continue;
    if (stuck !== null) {
      from.set(stuck.id, stuck.ready);
      continue;
    }
    const open = instances.filter(({ id }) => !facts.has(id));
    if (open.length === 0) break;
    // A circle: each waits for what nobody settled.
    for (const instance of open) {
      const on = instance.decl.measured_by.flatMap(({ match }) =>
        Object.values(match).flatMap((ref) => {
          if (ref === 'typed') return [];
          if (ref.startsWith('/'))
            return [instance.index === null ? ref : ref.replace('/*', `/${instance.index}`)];
          const others = instances.filter(({ name }) => name === ref.split('#')[0]);
          return [(others.find(({ index }) => index === instance.index) ?? others[0])?.id ?? ref];
        }),
      );
      facts.set(instance.id, { is: 'waits', on });
    }
  }

  // S19–S24.
  const states = new Map<string, State>();
  const routes = new Map<string, Route>();
  const routeBehind = (ids: readonly string[], except: string | null): Route | null => {
    const found = new Set<Route>();
    const seen = new Set<string>(except === null ? [] : [except]);
    const visit = (id: string): void => {
      if (seen.has(id)) return;
      seen.add(id);
      const route = routes.get(id);
      if (route !== undefined) found.add(route);
      const fact = facts.get(id);
      if (fact?.is === 'failed') found.add('definition_repair');
      if (fact?.is === 'absent' || fact?.is === 'unfinished' || fact?.is === 'refused')
        found.add('system_lookup');
      if (fact?.is === 'waits') for (const next of fact.on) visit(next);
      for (const sign of settled.get(id)?.signs ?? [])
        if (sign.is === 'W') for (const next of sign.on) visit(next);
    };
    for (const id of ids) visit(id);
    return (
      (['definition_repair', 'system_lookup', 'ask_user'] as const).find((route) => found.has(route)) ?? null
    );
  };
  const pendingHere = run.phase === 'at_instruction';
  const finish = (slot: Slot, { signs, state }: Settled): void => {
    states.set(slot.id, state ?? endOf(slot, signs, (ids) => routeBehind(ids, slot.id), pendingHere));
  };
  const waiting = walked.filter(({ id }) => {
    const one = settled.get(id) as Settled;
    return one.state === null && one.signs.some(({ is }) => is === 'W');
  });
  for (const slot of walked) {
    if (waiting.includes(slot)) continue;
    finish(slot, settled.get(slot.id) as Settled);
    const state = states.get(slot.id);
    if (state?.route !== undefined) routes.set(slot.id, state.route);
  }
  for (const slot of waiting) finish(slot, settled.get(slot.id) as Settled);
  for (const { id } of waiting) {
    const route = states.get(id)?.route;
    if (route !== undefined) routes.set(id, route);
  }

  for (const slot of listed.slots) {
    if (slot.fixedBySchema)
      states.set(slot.id, {
        slot: slot.id,
        state: 'known',
        reason: 'fixed_by_schema',
        source: null,
        origin: null,
      });
  }
  // R7c.
  for (const id of mixed(run, rules, listed.slots, instancesOf, facts, answer)) {
    if (states.get(id)?.state === 'known') states.set(id, unknown(id, 'mixed_group', 'ask_user'));
  }
  // R4: what was declared and can't stand keeps its slot open.
  const spoil = (): void => {
    for (const { slot: spoiled, reason } of rules.defects) {
      for (const { id } of listed.slots) {
        if (spoiled !== null && named(id, spoiled)) states.set(id, unknown(id, reason, 'definition_repair'));
      }
    }
  };
  spoil();

  // R11, with `fixed_by`: computed slots take the state of their condition.
  for (const { id } of computed) states.set(id, unknown(id, 'waits_for', 'definition_repair'));
  const given = () => argumentsFrom(run, args, listed.slots, states);
  const judge = (condition: Condition): Judged =>
    judgeCondition(run, rules, condition, listed.slots, states, given(), instances, facts, routeBehind);
  for (const _ of [...computed, null]) {
    for (const slot of computed) {
      const own = conditions.filter(({ name }) => name === slot.decl?.fixed_by);
      const condition =
        own.find(
          ({ each, index }) => each !== undefined && slot.id.startsWith(`${each.slice(0, -1)}${index}/`),
        ) ??
        own.find(({ index }) => index === null) ??
        own[0];
      if (condition === undefined) continue;
      const judged = judge(condition);
      states.set(
        slot.id,
        judged.is === 'unknown'
          ? unknown(slot.id, 'waits_for', judged.route)
          : {
              slot: slot.id,
              state: 'known',
              reason: 'computed',
              source: judged.source ?? null,
              origin: judged.origin ?? null,
            },
      );
    }
    spoil();
  }

  const unmet: string[] = [];
  const not_run: string[] = [];
  const conditionStates: State[] = [];
  for (const condition of conditions) {
    const defect =
      rules.defects.find(({ slot }) => slot === condition.name) ??
      (condition.sourceless ? { reason: 'no_source' } : undefined);
    const judged: Judged =
      defect === undefined
        ? judge(condition)
        : { is: 'unknown', reason: defect.reason, route: 'definition_repair' };
    if (judged.is === 'not_run') not_run.push(`${condition.id} ${judged.reason}`);
    else if (judged.is === 'unknown')
      conditionStates.push(unknown(condition.id, judged.reason, judged.route));
    else {
      const reason = judged.is === 'met' ? 'met' : judged.reason;
      conditionStates.push({
        slot: condition.id,
        state: 'known',
        reason,
        source: judged.source,
        origin: judged.origin,
      });
      if (judged.is === 'unmet') unmet.push(`${condition.id} ${judged.reason}`);
    }
  }
  const labels = labelStates(run, rules, listed.slots, answer);
  for (const { id, required } of listed.slots)
    if (required && states.get(id)?.state === 'null') unmet.push(`${id} required_null`);
  for (const { slot, state, reason } of [...states.values(), ...labels]) {
    if (state === 'known' && reason === 'declined') unmet.push(`${slot} declined`);
  }

  // The whole.
  const root: State[] = [];
  if (run.proposal !== null && args === undefined)
    root.push(unknown('/', 'arguments_unreadable', 'definition_repair'));
  else if (!fromProposal) {
    const checked = schema === null ? { fault: 'schema_missing' } : checkSchema(schema);
    if ('fault' in checked) root.push(unknown('/', checked.fault, 'definition_repair'));
    else if (schema !== null && args !== undefined) {
      if (listed.notAllowed || !validatePayload(schema, given()).ok) unmet.push('/ payload_invalid');
    } else if (schema !== null && [...states.values()].every(({ state }) => state !== 'unknown')) {
      if (!validatePayload(schema, given()).ok) unmet.push('/ payload_invalid');
    }
  }
  // What was sent can't be read: nothing that the user could say would fill it (R7, S19).
  const unreadable = root.some(({ reason }) => reason === 'arguments_unreadable');
  const afterArguments = (state: State): State =>
    unreadable && state.state === 'unknown' && state.route !== 'definition_repair'
      ? unknown(state.slot, 'waits_for', 'definition_repair')
      : state;
  const slots = [
    ...root,
    ...listed.slots.map(({ id }) => afterArguments(states.get(id) as State)),
    ...labels,
    ...conditionStates.map(afterArguments),
  ];

  if (fromProposal) reductions.add('slots_from_proposal ');
  for (const pattern of listed.ungated) reductions.add(`ungated_argument ${pattern}`);
  for (const slot of listed.slots) {
    if (slot.decl?.select === 'member' && pathsFor(rules, slot).some(({ member }) => member))
      reductions.add(`member ${slot.pattern}`);
  }
  for (const { name, whenMeasured } of conditions) if (whenMeasured) reductions.add(`when_measured ${name}`);

  const blocking = slots.filter(({ state, pending }) => state === 'unknown' && pending !== true);
  const kind =
    unmet.length > 0
      ? 'unmet'
      : blocking.length > 0
        ? blocking.every(({ route }) => route === 'definition_repair')
          ? 'definition_repair'
          : 'unknown'
        : run.phase === 'at_instruction'
          ? 'schedulable'
          : 'executable';
  return {
    kind,
    slots,
    unknown_count: slots.filter(({ state }) => state === 'unknown').length,
    unmet: unmet.sort(),
    not_run: not_run.sort(),
    reductions: [...reductions].sort(),
  };
}

function under(slot: string, element: string): boolean {
  return slot === element || slot.startsWith(`${element}/`);
}

/** S1–S18 for one sign; null: the walk goes on. */
function rowOf(run: RunInput, slot: Slot, source: Source, sign: Sign): State | null {
  const id = slot.id;
  const known = (reason: string, place: Place, origin: Source | null = source): State => ({
    slot: id,
    state: 'known',
    reason,
    source,
    origin,
    place,
  });
  if (sign.is === 'F') return unknown(id, 'lookup_failed', 'definition_repair');
  switch (source) {
    case 'user_answer':
      if (sign.is === 'D') return known('declined', sign.place);
      if (sign.is === 'V' && sign.how === 'candidate_confirmed')
        return known('candidate_confirmed', sign.place, sign.origin ?? source);
      if (sign.is === 'V') return known('answered', sign.place);
      if (sign.is === 'N') return { slot: id, state: 'null', reason: 'answered_none', source };
      if (sign.is === 'B') return unknown(id, 'format', 'ask_user');
      // R7b for the slot's own answer.
      if (sign.is === 'R' && sign.reason === 'differs_from_proposal')
        return unknown(id, 'differs_from_proposal', 'ask_user');
      return null;
    case 'instruction':
      if (sign.is === 'V') return known('located', sign.place);
      if (sign.is === 'C') return unknown(id, 'conflicting_claims', 'ask_user');
      if (sign.is === 'B') return unknown(id, 'format', 'ask_user');
      return null;
    case 'pre_set_data':
      if (sign.is === 'V') return known(sign.how === 'approved' ? 'approved' : 'setting', sign.place);
      if (sign.is === 'N') return { slot: id, state: 'null', reason: 'setting_none', source };
      if (sign.is === 'B') return unknown(id, 'format', 'ask_user');
      return null;
    case 'measured_data':
      if (sign.is === 'V') return known('measured', sign.place);
      if (sign.is === 'N') return { slot: id, state: 'null', reason: 'measured_none', source };
      if (sign.is === 'B') return unknown(id, 'measured_format', 'definition_repair');
      return null;
    case 'prior_state':
      if (sign.is === 'V' && run.ruleset === 'inherit' && sign.origin != null)
        return known('inherited', sign.place, sign.origin);
      return null;
  }
}

/** S19–S24. */
function endOf(
  slot: Slot,
  signs: readonly Said[],
  routeBehind: (ids: readonly string[]) => Route | null,
  pendingHere: boolean,
): State {
  const pending = pendingHere && slot.decl?.pending_at_trigger === true;
  const open = (reason: string, route: Route) => unknown(slot.id, reason, route, pending);
  const waits = signs.flatMap((sign) => (sign.is === 'W' ? [...sign.on] : []));
  const route = routeBehind(waits);
  if (route !== null) return open('waits_for', route);
  if (signs.every(({ is }) => is === 'P')) return open('no_source', 'definition_repair');
  if (signs.some(({ is, source }) => is === 'S' && source === 'measured_data'))
    return open('unfinished', 'system_lookup');
  const refusals = signs.flatMap((sign) => (sign.is === 'R' ? [sign.reason] : []));
  const first = REASONS.find((reason) => refusals.includes(reason));
  const fillable = signs.some(
    ({ is, source }) => is !== 'P' && ['user_answer', 'instruction', 'pre_set_data'].includes(source),
  );
  return fillable ? open(first ?? 'not_said', 'ask_user') : open(first ?? 'no_answer', 'system_lookup');
}

interface Condition {
  readonly id: string;
  readonly name: string;
  readonly index: number | null;
  readonly each: string | undefined;
  readonly item: Json | undefined;
  readonly pointer: string;
  readonly require: string;
  readonly define: Readonly<Record<string, string>>;
  readonly whenMeasured: boolean;
  readonly acceptsNull: boolean;
  readonly facts: readonly string[];
  readonly sourceless: boolean;
}

function conditionsOf(run: RunInput, rules: InForce): Condition[] {
  const declared = rules.conditions.map(({ id, body, define }) => ({ id, body, define, sourceless: false }));
  const labelled = rules.labels.flatMap(({ label }) => {
    if (label.kind !== 'required_condition') return [];
    const by = attributeOf(label, 'by');
    const path =
      by === undefined
        ? ''
        : segmentsOf(by.pointer)
            .map((part) => `[${JSON.stringify(part)}]`)
            .join('');
    return [
      {
        id: label.id,
        body: {
          require: attributeOf(label, 'require')?.expression ?? 'value == true',
          when_measured: false,
          accepts_null: false,
          each: undefined,
        },
        define: (by === undefined ? {} : { value: by.of + path }) as Record<string, string>,
        sourceless: by === undefined || !Object.hasOwn(rules.facts, by.of),
      },
    ];
  });
  return [...declared, ...labelled].flatMap(({ id, body, define, sourceless }): Condition[] => {
    const compiled = compile(body.require, define);
    const names = 'fault' in compiled ? [] : needsOf(compiled).names;
    const common = {
      name: id,
      each: body.each,
      require: body.require,
      define,
      whenMeasured: body.when_measured,
      acceptsNull: body.accepts_null,
      facts: names.filter((name) => Object.hasOwn(rules.facts, name)),
      sourceless,
    };
    if (body.each === undefined) return [{ ...common, id, index: null, item: undefined, pointer: '' }];
    return all(proposed(run), body.each).map(({ value, pointer }, index) => ({
      ...common,
      id: `${id}/${index}`,
      index,
      item: value,
      pointer,
    }));
  });
}

type Judged =
  | { is: 'met'; source: Source | null; origin: Source | null }
  | { is: 'unmet'; source: Source | null; origin: Source | null; reason: string }
  | { is: 'not_run'; reason: string; source?: undefined; origin?: undefined }
  | { is: 'unknown'; reason: string; route: Route };

/** R11. */
function judgeCondition(
  run: RunInput,
  rules: InForce,
  condition: Condition,
  slots: readonly Slot[],
  states: ReadonlyMap<string, State>,
  args: Json,
  instances: readonly Instance[],
  facts: ReadonlyMap<string, FactOutcome>,
  routeBehind: (ids: readonly string[], except: string | null) => Route | null,
): Judged {
  const compiled = compile(condition.require, condition.define);
  const invalid: Judged = { is: 'unknown', reason: 'expression_invalid', route: 'definition_repair' };
  if ('fault' in compiled) return invalid;
  const needs = needsOf(compiled);
  if (
    needs.names.some(
      (name) => !['now', 'item', 'index', 'args'].includes(name) && !condition.facts.includes(name),
    )
  )
    return invalid;
  const usesNow = needs.names.includes('now');
  if (run.phase === 'at_instruction' && (condition.facts.length > 0 || usesNow))
    return { is: 'not_run', reason: 'phase' };
  const routes: Route[] = [];
  const sources: Source[] = [];
  const origins: Source[] = [];
  let slotsOpen = false;
  let absent = 0;
  let otherFacts = 0;
  const patterns = [...needs.args, ...(needs.names.includes('item') ? [condition.pointer] : [])];
  const onPath = (pattern: string, id: string) => {
    const a = segmentsOf(pattern);
    const b = segmentsOf(id);
    return a.every((part, i) => i >= b.length || part === '*' || part === b[i]);
  };
  const needed = slots.filter(
    ({ id, decl }) => decl?.fixed_by !== condition.name && patterns.some((pattern) => onPath(pattern, id)),
  );
  for (const { id } of needed) {
    const state = states.get(id) as State;
    if (state.state === 'unknown') {
      slotsOpen = true;
      routes.push(state.route as Route);
    } else if (state.source != null) {
      sources.push(state.source);
      origins.push(state.origin ?? state.source);
    }
  }
  const scope: Record<string, Json> = { args };
  for (const name of condition.facts) {
    const decl = rules.facts[name] as Instance['decl'];
    const own = instances.filter(
      (one) =>
        one.name === name &&
        (condition.index === null ||
          decl.each === undefined ||
          decl.each !== condition.each ||
          one.index === condition.index),
    );
    const records: Json[] = [];
    for (const { id } of own) {
      const fact = facts.get(id) as FactOutcome;
      if (fact.is === 'measured') {
        for (const record of fact.records) {
          const value = recordAt(run, decl, record);
          if (value !== undefined) records.push(value);
        }
      } else if (fact.is === 'absent') {
        absent++;
        routes.push('system_lookup');
      } else {
        otherFacts++;
        routes.push(
          fact.is === 'failed'
            ? 'definition_repair'
            : fact.is === 'waits'
              ? (routeBehind(fact.on, null) ?? 'system_lookup')
              : 'system_lookup',
        );
      }
    }
    sources.push('measured_data');
    origins.push('measured_data');
    const many = decl.take === 'all' || (decl.each !== undefined && decl.each !== condition.each);
    if (many) scope[name] = records;
    else if (records[0] !== undefined) scope[name] = records[0];
    else if (own.length === 0) {
      otherFacts++;
      routes.push('system_lookup');
    }
  }
  if (usesNow && run.now === null) return { is: 'unknown', reason: 'now_unknown', route: 'system_lookup' };
  if (usesNow) scope.now = run.now;
  if (routes.length > 0) {
    // Only that the fact was looked for and is absent excuses.
    if (condition.whenMeasured && absent > 0 && !slotsOpen && otherFacts === 0)
      return { is: 'not_run', reason: 'not_measured' };
    return {
      is: 'unknown',
      reason: 'waits_for',
      route: (['definition_repair', 'system_lookup', 'ask_user'] as const).find((route) =>
        routes.includes(route),
      ) as Route,
    };
  }
  if (condition.index !== null && condition.item !== undefined) {
    scope.item = all(args, condition.pointer)[0]?.value ?? condition.item;
    scope.index = condition.index;
  }
  const source = SOURCES.findLast((one) => sources.includes(one)) ?? null;
  // Of the needs that have this source, the origin that comes last in search order.
  const origin =
    SOURCES.findLast((one) => sources.some((each, at) => each === source && origins[at] === one)) ?? null;
  const result = evaluate(compiled, scope, { zone: rules.zone });
  if ('value' in result && typeof result.value === 'boolean') {
    return result.value
      ? { is: 'met', source, origin }
      : { is: 'unmet', source, origin, reason: 'condition_false' };
  }
  // R6: what it checks is known to be nothing, and its requirement does not take that.
  const nothing =
    'value' in result ? result.value === null : needed.some(({ id }) => states.get(id)?.state === 'null');
  if (!nothing) return { is: 'unknown', reason: 'expression_failed', route: 'definition_repair' };
  return condition.acceptsNull
    ? { is: 'met', source, origin }
    : { is: 'unmet', source, origin, reason: 'condition_null' };
}

/** Only facts that something reads are asked for. */
function instancesNeeded(
  run: RunInput,
  rules: InForce,
  slots: readonly Slot[],
  conditions: readonly Condition[],
): Instance[] {
  const needed = new Set<string>();
  const add = (name: string): void => {
    if (needed.has(name) || !Object.hasOwn(rules.facts, name)) return;
    needed.add(name);
    for (const { match } of rules.facts[name]?.measured_by ?? []) {
      for (const ref of Object.values(match)) if (ref.includes('#')) add(ref.split('#')[0] ?? '');
    }
  };
  for (const slot of slots) {
    if (slot.sources.includes('measured_data')) for (const { fact } of pathsFor(rules, slot)) add(fact);
    for (const fact of namingFacts(slot.decl)) add(fact);
  }
  for (const { facts } of conditions) for (const fact of facts) add(fact);
  return [...needed].sort().flatMap((name): Instance[] => {
    const decl = rules.facts[name] as Instance['decl'];
    if (decl.each === undefined) return [{ id: name, name, decl, index: null }];
    return all(proposed(run), decl.each).map((_, index) => ({ id: `${name}/${index}`, name, decl, index }));
  });
}

/** The arguments as they would be sent: null leaves left out, confirmed ones that the proposal lacks put in. */
function argumentsFrom(
  run: RunInput,
  args: Json | undefined,
  slots: readonly Slot[],
  states: ReadonlyMap<string, State>,
): Json {
  const out = JSON.parse(JSON.stringify(args ?? {})) as Json;
  for (const { id, leaf, reader } of slots) {
    const state = states.get(id);
    const path = [...segmentsOf(id)];
    const last = path.pop() as string;
    let here = out as Record<string, Json> | undefined;
    const put = state?.state === 'known' && leaf === undefined && state.place != null;
    for (const part of path) {
      if (here !== undefined && !Object.hasOwn(here, part) && put) here[part] = {};
      here =
        here !== undefined && Object.hasOwn(here, part) && typeof here[part] === 'object'
          ? (here[part] as Record<string, Json>)
          : undefined;
    }
    if (here === undefined || here === null) continue;
    if (state?.state === 'null' && !Array.isArray(here)) delete here[last];
    if (!put || state.place == null || state.reason === 'declined') continue;
    const { place } = state;
    const there = raw(run, place);
    const context = { at: run.now, zone: 'UTC' };
    const value =
      place.in === 'text'
        ? reader?.readAt(textAt(run, place.segment) ?? '', place, context)
        : there === undefined
          ? undefined
          : reader?.fromJson(there, context);
    if (value !== undefined) here[last] = value;
  }
  return out;
}

function labelStates(run: RunInput, rules: InForce, slots: readonly Slot[], answer: Answer): State[] {
  const out: State[] = [];
  for (const { id, label } of rules.labels) {
    if (label.kind === 'required_condition') continue;
    const lookup = answer({ subject: { slot: id }, source: 'user_answer', key: {} });
    if (lookup.outcome.said === 'failed') {
      out.push(unknown(id, 'lookup_failed', 'definition_repair'));
      continue;
    }
    const claims = lookup.outcome.said === 'claim' ? lookup.outcome.claims : [];
    const consent = consentOf(run, label, slots, claims.at(-1)?.at);
    out.push(
      consent === null
        ? unknown(id, 'not_said', 'ask_user')
        : { slot: id, state: 'known', reason: consent, source: 'user_answer', origin: 'user_answer' },
    );
  }
  for (const { at, slot, reason } of rules.defects) {
    if (slot === null || !at.startsWith('label:')) continue;
    out.push(unknown(slot, reason, 'definition_repair'));
  }
  return out;
}

function consentOf(
  run: RunInput,
  label: Label,
  slots: readonly Slot[],
  place: Place | undefined,
): string | null {
  const index = place?.in === 'entry' ? place.entry : -1;
  const entry = run.entries[index];
  if (label.kind === 'notice')
    return entry?.kind === 'notice' && entry.text === label.text ? 'answered' : null;
  if (label.kind !== 'verify') return null;
  if (entry?.kind !== 'approval' || entry.tool !== run.tool_digest) return null;
  const { id: own } = label;
  const speaks = (one: typeof entry) => one.shown.some(({ slot }) => slot === own);
  if (!speaks(entry)) return null;
  if (entry.declined) return 'declined';
  // A later no to the same label takes the yes back.
  const later = run.entries.some(
    (one, at) =>
      at > index && one.kind === 'approval' && one.declined && one.tool === run.tool_digest && speaks(one),
  );
  if (later) return null;
  const on = attributeOf(label, 'on')?.pointers;
  const bound = slots.filter(({ id }) => on === undefined || on.some((pattern) => named(id, pattern)));
  const shown = (id: string) =>
    entry.shown.filter(({ slot }) => slot === id).map(({ value }) => plain<Json>(value));
  return bound.every(({ id, leaf }) => shown(id).some((value) => equal(value, leaf))) ? 'answered' : null;
}
