import type { Entry } from '../events/entry.ts';
import { type DataOf, parseStream, settingsUnder, streamOf } from '../events/index.ts';
import type { SyncLog } from '../log/index.ts';
import { settingEntries } from '../runs/setting-entries.ts';

/** What a user settled, as the log holds it now. */
export interface UserSettings {
  readonly entries: readonly { readonly event: string; readonly entry: Entry }[];
  /** Every stream that was looked at, whether it held something or not: an executor sees what changes in them. */
  readonly looked: readonly { readonly stream: string; readonly version: number }[];
}

/** [Verify] labels of one tool that a setting of any name may satisfy. */
export interface Labels {
  readonly tool: string;
  readonly ids: readonly string[];
}

/**
 * The newest event of a setting is what holds: stored, or revoked and so nothing. `names`: those that slots declare; beside them
 * each setting is looked at that names one of the labels, so that an executor sees it taken back. RULES R9.
 */
export function settingsOf(
  log: SyncLog,
  user: string,
  declared: readonly string[],
  labels: Labels,
): UserSettings {
  const names = new Set([...declared, ...standingFor(log, user, labels)]);
  const entries: UserSettings['entries'][number][] = [];
  const looked: UserSettings['looked'][number][] = [];
  for (const name of names) {
    const stream = streamOf.setting(user, name);
    const version = log.versionSync(stream);
    looked.push({ stream, version });
    entries.push(...settingEntries(log, stream, version));
  }
  return { entries, looked };
}

/** Names of the settings whose newest event holds a standing range for one of these labels. */
function standingFor(log: SyncLog, user: string, { tool, ids }: Labels): string[] {
  if (ids.length === 0) return [];
  const held = new Map<string, boolean>();
  for (const page of log.readSync({ under: settingsUnder(user) })) {
    for (const { event } of page) {
      const stream = parseStream(event.stream);
      if (stream.kind !== 'setting') continue;
      const ranges = event.type === 'SettingStored' ? (event.data as DataOf<'SettingStored'>).satisfies : [];
      held.set(
        stream.name,
        ranges.some((range) => range.tool === tool && ids.includes(range.slot)),
      );
    }
  }
  return [...held].flatMap(([name, names]) => (names ? [name] : [])).sort((a, b) => (a < b ? -1 : 1));
}
