import { resolverOf } from '../../replay/resolve.ts';
import { GroundsError } from '../errors.ts';
import { plainOf } from '../events/content.ts';
import { type DataOf, makeEvent, parseStream, streamOf } from '../events/index.ts';
import type { Json } from '../events/json.ts';
import { at as valueAt } from '../events/pointer.ts';
import { argumentsOf, rulesFor } from '../gate/index.ts';
import { slotRuleOf } from '../gate/rules-for.ts';
import type { SyncLog } from '../log/index.ts';
import { again } from '../runs/again.ts';
import { newestIn } from '../runs/newest-in.ts';
import { standingOf } from '../runs/standing.ts';
import type { Around } from './around.ts';
import { type By, responderOf, userIn } from './by.ts';

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
  readonly known_by: By['known_by'];
  readonly at: string;
}

/**
 * Keeps a value that was used as a setting of this user's, with their consent: from then on it may fill every slot that declares
 * this setting. The value comes out of the log, never from the caller, and only the user consents for themselves. RULES S11.
 *
 * @throws GroundsError `settings/not-yours`, `settings/not-used`, `settings/other-slot`; those of the log
 */
export function keep(
  around: Around,
  given: { readonly user: string; readonly name: string; readonly from: Used; readonly consent: By },
): Promise<Setting> {
  return again(async () => {
    const { log, clock, newId } = around;
    const { user, name, from, consent } = given;
    own(user, consent);
    const { value, none, setting } = usedValue(log, from);
    if (setting !== undefined && setting !== name) {
      throw new GroundsError(
        'settings/other-slot',
        `${from.slot} takes the setting ${setting}, not ${name}.`,
        {
          facts: { slot: from.slot, setting, name },
          hint: 'Keep it under the name that the checklist declares for the slot.',
        },
      );
    }
    const stream = streamOf.setting(userIn(log, user), name);
    const at = clock();
    const event = makeEvent(
      'SettingStored',
      { value: { plain: value }, none, consent: responderOf(log, consent), satisfies: [] },
      { id: newId(), at },
    );
    await log.append({ writes: [{ stream, expected: log.versionSync(stream), events: [event] }] });
    return { name, value, none, known_by: consent.known_by, at };
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
  const own = userIn(log, user);
  const held = new Map<string, Setting>();
  for (const page of log.readSync({ types: ['SettingStored', 'SettingRevoked'] })) {
    for (const { event } of page) {
      const stream = parseStream(event.stream);
      if (stream.kind !== 'setting' || stream.user !== own) continue;
      if (event.type === 'SettingRevoked') held.delete(stream.name);
      else held.set(stream.name, settingFrom(stream.name, event.at, event.data as DataOf<'SettingStored'>));
    }
  }
  return [...held.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function settingFrom(name: string, at: string, { value, none, consent }: DataOf<'SettingStored'>): Setting {
  return { name, value: plainOf(value), none, known_by: consent.known_by, at };
}

function own(user: string, by: By): void {
  if (by.user === user) return;
  throw new GroundsError('settings/not-yours', 'Only the user themselves can settle something for later.', {
    facts: { known_by: by.known_by },
    hint: 'Give as consent who said so, and how that is known; it must be the user whose setting it is.',
  });
}

function usedValue(
  log: SyncLog,
  from: Used,
): { readonly value: Json; readonly none: boolean; readonly setting: string | undefined } {
  const { call, slot } = from;
  const standing = standingOf(log, call);
  const notUsed = (): GroundsError =>
    new GroundsError(
      'settings/not-used',
      `The log holds no value for ${slot} that was answered or executed there.`,
      {
        facts: { call, slot },
        hint: 'Name an answer of this call, or a slot that was known in a call that was executed.',
      },
    );
  if (standing?.run == null) throw notUsed();
  const { started, position } = standing.run;
  const { run } = resolverOf(log).resolve(started, position);
  const setting = run === null ? undefined : slotRuleOf(rulesFor(run), slot, false)?.setting;
  if ('answer' in from) {
    const said = standing.said.findLast(
      ({ event, entry }) => event === from.answer && entry.kind === 'answer' && entry.slot === slot,
    );
    if (said?.entry.kind !== 'answer') throw notUsed();
    return { value: plainOf(said.entry.value), none: said.entry.none, setting };
  }
  const verdict = standing.run.verdict?.verdict;
  const ran = standing.starts.some(
    ({ data, outcome }) => data.run === standing.run?.id && outcome === 'succeeded',
  );
  const state = verdict?.slots?.find((each) => each.slot === slot);
  if (!ran || run === null || verdict === undefined || state === undefined || state.state === 'unknown')
    throw notUsed();
  if (state.state === 'null') return { value: null, none: true, setting };
  const value = valueAt(argumentsOf(run, verdict), slot);
  if (value === undefined) throw notUsed();
  return { value, none: false, setting };
}
