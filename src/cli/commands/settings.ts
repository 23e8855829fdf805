import { GroundsError } from '../../errors.ts';
import { isForTool } from '../../gate/entries.ts';
import { settingsToPropose } from '../../preflight/propose-settings.ts';
import { revokeSetting, settingsOfUser, keep as store, type Used } from '../../preflight/settings.ts';
import type { RangeGiven } from '../../preflight/standing-range.ts';
import { standingOf } from '../../runs/standing.ts';
import { type DeclaredOptions, declaredBy } from '../declared.ts';
import { findCall } from '../find-call.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { type ByOptions, byOf, liveOn } from '../live-around.ts';
import { caughtUp, reading } from '../open-log.ts';
import { printedCommand } from '../printed-command.ts';
import { columns, oneLine, plural } from '../text.ts';
import { whichLog } from '../which-log.ts';

export interface SettingsOptions extends ByOptions {
  readonly user: string;
  readonly json?: boolean;
  readonly db?: string;
}

/** What a user keeps, and what they gave again and again and could keep. */
export async function list(
  io: Io,
  last: string | undefined,
  options: SettingsOptions & DeclaredOptions,
): Promise<void> {
  await reading(whichLog(last, options.db), (log) => {
    const kept = settingsOfUser(log, options.user);
    const proposed = settingsToPropose(log, options.user, declaredBy(options));
    if (options.json === true) {
      for (const setting of kept) io.out(`${jsonText({ kind: 'setting', ...setting })}\n`);
      for (const proposal of proposed) io.out(`${jsonText({ kind: 'proposed', ...proposal })}\n`);
      return;
    }
    const held = kept.map(({ name, value, none, satisfies, known_by, at }) => [
      oneLine(name, 40),
      none ? 'none' : oneLine(JSON.stringify(value), 48),
      `known by: ${known_by}`,
      at.slice(0, 10),
      satisfies
        .map(({ slot, within }) => `satisfies ${oneLine(slot, 40)} within ${oneLine(within, 80)}`)
        .join('; '),
    ]);
    const more = proposed.map(({ tool, slot, value, none, times, setting, from }) => [
      oneLine(`${tool} ${slot}`, 48),
      none ? 'none' : oneLine(JSON.stringify(value), 48),
      `given in ${plural(times, 'call')}`,
      setting === null
        ? 'no checklist lets a setting fill it'
        : `→ ${printedCommand(['settings', 'keep', setting, from.call.slice(0, 8), from.slot, '--user', options.user], log.file)}`,
    ]);
    if (held.length + more.length === 0) io.out('Nothing is kept for this user.\n');
    for (const line of columns(held)) io.out(`${line}\n`);
    if (more.length > 0) io.out('given again and again; keep it only if the user wants that\n');
    for (const line of columns(more)) io.out(`  ${line}\n`);
  });
}

/** Keeps what was answered for a slot of a call, else what an executed call was made with. */
export async function keep(
  io: Io,
  given: { readonly name: string; readonly ref: string; readonly slot: string },
  last: string | undefined,
  options: SettingsOptions & { readonly satisfies?: string; readonly within?: string },
): Promise<void> {
  const satisfies = rangeIn(options);
  await reading(whichLog(last, options.db), async (log) => {
    const { name, ref, slot } = given;
    const call = findCall(caughtUp(io, log), ref, log).row.call_id;
    const standing = standingOf(log, call);
    const judged = { tool_digest: standing?.run?.started.tool.digest ?? '' };
    const answered = standing?.said.findLast(
      ({ entry }) => entry.kind === 'answer' && entry.slot === slot && isForTool(judged, entry),
    );
    const from: Used = answered === undefined ? { call, slot } : { call, slot, answer: answered.event };
    const kept = await store(liveOn(log), {
      user: options.user,
      name,
      from,
      consent: byOf(options),
      satisfies,
    });
    if (options.json === true) io.out(`${jsonText({ kind: 'setting', ...kept })}\n`);
    else
      io.out(`Kept ${oneLine(name, 40)}: ${kept.none ? 'none' : oneLine(JSON.stringify(kept.value), 60)}\n`);
  });
}

function rangeIn({ satisfies, within }: { satisfies?: string; within?: string }): RangeGiven[] {
  if (satisfies === undefined && within === undefined) return [];
  if (satisfies !== undefined && within !== undefined) return [{ slot: satisfies, within }];
  throw new GroundsError('cli/range', '--satisfies and --within go together.', {
    facts: { satisfies: satisfies ?? null, within: within ?? null },
    hint: 'Name a [Verify] label and the range: --satisfies final --within "args.amount <= 100".',
    exit: 2,
  });
}

/** Takes a setting back. */
export async function revoke(
  io: Io,
  name: string,
  last: string | undefined,
  options: SettingsOptions,
): Promise<void> {
  await reading(whichLog(last, options.db), async (log) => {
    await revokeSetting(liveOn(log), { user: options.user, name, by: byOf(options) });
    if (options.json === true) io.out(`${jsonText({ name, revoked: true })}\n`);
    else io.out(`Taken back: ${oneLine(name, 40)}\n`);
  });
}
