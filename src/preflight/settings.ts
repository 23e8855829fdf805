import { resolverOf } from '../../replay/resolve.ts';
import { GroundsError } from '../errors.ts';
import { plainOf } from '../events/content.ts';
import { type DataOf, makeEvent, parseStream, settingsUnder, streamOf } from '../events/index.ts';
import type { Json } from '../events/json.ts';
import { at as valueAt } from '../events/pointer.ts';
import type { Satisfies } from '../events/satisfies.ts';
import { isForTool } from '../gate/entries.ts';
import { argumentsOf, type RunInput, rulesFor } from '../gate/index.ts';
import { slotRuleOf } from '../gate/rules-for.ts';
import type { SyncLog } from '../log/index.ts';
import type { CallStanding } from '../projections/standing.ts';
import { again } from '../runs/again.ts';
import { newestIn } from '../runs/newest-in.ts';
import { standingOf } from '../runs/standing.ts';
import type { Around } from './around.ts';
import { type By, responderOf, userIn } from './by.ts';
import { type RangeGiven, rangeFor } from './standing-range.ts';
import { whoseCall } from './whose.ts';

/** Where a value that is to be kept was used: it was answered, or stood in a call that was executed. */
export type Used =
  | { readonly call: string; readonly answer: string; readonly slot: string }
  | { readonly call: string; readonly slot: string };

/** What a user settled, as the log holds it now. */
export interface Setting {
  readonly name: string;
  readonly value: Json;
  /** Settled that there is none. */
  readonly none: boolean;
  /** The standing ranges that come with it. */
  readonly satisfies: readonly Satisfies[];
  readonly known_by: By['known_by'];
  readonly at: string;
}

/** What `keep` is given. */
export interface Keeping {
  readonly user: string;
  readonly name: string;
  readonly from: Used;
  readonly consent: By;
  /** [Verify] labels of the call's very tool that it satisfies from then on, within an expression over `args` and `now`. */
  readonly satisfies?: readonly RangeGiven[];
}

/**
 * Keeps a value that was used as a setting of this user's, with their consent: from then on it may fill every slot that declares
 * this setting. The value comes out of the log, never from the caller, and only the user consents for themselves. RULES S11.
 * Kept from a yes to a [Verify] label (`from.slot` is the label), it fills no slot and stands for its ranges alone. RULES R9.
 *
 * @throws GroundsError `settings/not-yours`, `settings/not-used`, `settings/other-slot`, `settings/no-such-label`,
 * `settings/range-invalid`, `preflight/other-user` where it was used in a call of somebody else; those of the log
 */
export function keep(around: Around, given: Keeping): Promise<Setting> {
  return again(async () => {
    const { log, clock, newId } = around;
    const { user, name, from, consent } = given;
    own(user, consent);
    const { run, value, none } = usedValue(log, user, from);
    const satisfies = (given.satisfies ?? []).map((range) => rangeFor(run, range));
    const setting = settingAt(run, from.slot, name);
    if (setting !== undefined && setting !== name) {
      throw new GroundsError(
        'settings/other-slot',
        setting === null
          ? `A yes to ${from.slot} is no value, and a slot takes the setting ${name}.`
          : `${from.slot} takes the setting ${setting}, not ${name}.`,
        {
          facts: { slot: from.slot, setting, name },
          hint:
            setting === null
              ? 'Keep it under a name that no slot declares.'
              : 'Keep it under the name that the checklist declares for the slot.',
        },
      );
    }
    const stream = streamOf.setting(userIn(log, user), name);
    const at = clock();
    const event = makeEvent(
      'SettingStored',
      { value: { plain: value }, none, consent: responderOf(log, consent), satisfies },
      { id: newId(), at },
    );
    await log.append({ writes: [{ stream, expected: log.versionSync(stream), events: [event] }] });
    return { name, value, none, satisfies, known_by: consent.known_by, at };
  });
}

/**
 * Takes a setting back. An executor that is about to start with it sees that, or was first: never both.
 *
 * @throws GroundsError `settings/not-yours`, `settings/none`; those of the log
 */
export function revokeSetting(
  around: Around,
  { user, name, by }: { readonly user: string; readonly name: string; readonly by: By },
): Promise<void> {
  return again(async () => {
    const { log, clock, newId } = around;
    own(user, by);
    const stream = streamOf.setting(userIn(log, user), name);
    const version = log.versionSync(stream);
    if (newestIn(log, stream)?.type !== 'SettingStored') {
      throw new GroundsError('settings/none', `There is no setting ${name} of this user's.`, {
        facts: { name },
        hint: 'List the settings of this user; they are kept by the id that the caller gives.',
      });
    }
    const event = makeEvent('SettingRevoked', { by: responderOf(log, by) }, { id: newId(), at: clock() });
    await log.append({ writes: [{ stream, expected: version, events: [event] }] });
  });
}

/** The settings of a user that hold now, by name. */
export function settingsOfUser(log: SyncLog, user: string): Setting[] {
  const held = new Map<string, Setting>();
  for (const page of log.readSync({ under: settingsUnder(userIn(log, user)) })) {
    for (const { event } of page) {
      const stream = parseStream(event.stream);
      if (stream.kind !== 'setting') continue;
      if (event.type === 'SettingRevoked') held.delete(stream.name);
      else held.set(stream.name, settingFrom(stream.name, event.at, event.data as DataOf<'SettingStored'>));
    }
  }
  return [...held.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function settingFrom(name: string, at: string, stored: DataOf<'SettingStored'>): Setting {
  const { value, none, satisfies, consent } = stored;
  return { name, value: plainOf(value), none, satisfies, known_by: consent.known_by, at };
}

function own(user: string, by: By): void {
  if (by.user === user) return;
  throw new GroundsError('settings/not-yours', 'Only the user themselves can settle something for later.', {
    facts: { known_by: by.known_by },
    hint: 'Give as consent who said so, and how that is known; it must be the user whose setting it is.',
  });
}

interface UsedValue {
  /** The newest run of the call. */
  readonly run: RunInput;
  readonly value: Json;
  readonly none: boolean;
}

function usedValue(log: SyncLog, user: string, from: Used): UsedValue {
  const { call, slot } = from;
  const standing = standingOf(log, call);
  const notUsed = (): GroundsError =>
    new GroundsError(
      'settings/not-used',
      `The log holds no value for ${slot} that was answered or executed there.`,
      {
        facts: { call, slot },
        hint: 'Name an answer of this call, a label that the user said yes to, or a slot that was known in a call that was executed.',
      },
    );
  if (standing?.run == null) throw notUsed();
  whoseCall(log, standing, user);
  const { started, position } = standing.run;
  const { run } = resolverOf(log).resolve(started, position);
  if (run === null) throw notUsed();
  if (!slot.startsWith('/')) {
    const text = approvedLabel(standing, run, from);
    if (text === undefined) throw notUsed();
    return { run, value: text, none: false };
  }
  if ('answer' in from) {
    const said = standing.said.findLast(
      ({ event, entry }) =>
        event === from.answer && entry.kind === 'answer' && entry.slot === slot && isForTool(run, entry),
    );
    if (said?.entry.kind !== 'answer') throw notUsed();
    return { run, value: plainOf(said.entry.value), none: said.entry.none };
  }
  const verdict = standing.run.verdict?.verdict;
  const ran = standing.starts.some(
    ({ data, outcome }) => data.run === standing.run?.id && outcome === 'succeeded',
  );
  const state = verdict?.slots?.find((each) => each.slot === slot);
  if (!ran || verdict === undefined || state === undefined || state.state === 'unknown') throw notUsed();
  if (state.state === 'null') return { run, value: null, none: true };
  const value = valueAt(argumentsOf(run, verdict), slot);
  if (value === undefined) throw notUsed();
  return { run, value, none: false };
}

/** The words of a label that the user said yes to in this call, and no no to after. */
function approvedLabel(standing: CallStanding, run: RunInput, from: Used): Json | undefined {
  const newest = standing.said.findLast(
    ({ entry }) =>
      entry.kind === 'approval' &&
      entry.tool === run.tool_digest &&
      entry.shown.some(({ slot }) => slot === from.slot),
  );
  if (newest?.entry.kind !== 'approval' || newest.entry.declined) return undefined;
  if ('answer' in from && newest.event !== from.answer) return undefined;
  const shown = newest.entry.shown.find(({ slot }) => slot === from.slot);
  return shown === undefined ? undefined : plainOf(shown.value);
}

/** The setting that a slot declares; null: a label's words, which no slot of the tool may be filled with. */
function settingAt(run: RunInput, slot: string, name: string): string | null | undefined {
  const rules = rulesFor(run);
  if (slot.startsWith('/')) return slotRuleOf(rules, slot, false)?.setting;
  return rules.slots.some(({ setting }) => setting === name) ? null : undefined;
}
