import { GroundsError } from '../../errors.ts';
import { type DataOf, parseStream } from '../../events/index.ts';
import { listConditions } from '../../gate/conditions.ts';
import { rulesFor } from '../../gate/index.ts';
import { proposedArguments } from '../../gate/slot-list.ts';
import type { SqliteLog } from '../../log/sqlite.ts';
import { trigger as fire, type Trigger } from '../../preflight/deferral.ts';
import type { Declared } from '../../runs/declared.ts';
import { newestIn } from '../../runs/newest-in.ts';
import { standingOf } from '../../runs/standing.ts';
import type { Checked } from '../check-run.ts';
import { type DeclaredOptions, declaredBy } from '../declared.ts';
import { findCall } from '../find-call.ts';
import type { Io } from '../io.ts';
import { jsonOption } from '../json-option.ts';
import { jsonText } from '../json-text.ts';
import { liveOn } from '../live-around.ts';
import { caughtUp, reading } from '../open-log.ts';
import { callFound } from '../rows.ts';
import { verdictText } from '../verdict-text.ts';
import { whichLog } from '../which-log.ts';

export interface TriggerOptions extends DeclaredOptions {
  readonly json?: boolean;
  readonly db?: string;
  readonly by: Trigger['by'];
  readonly detail?: string;
  readonly user?: string;
}

/**
 * Records that the trigger of a deferred call fired, and judges it anew.
 * @returns 0 where it is executable, else 1
 */
export async function trigger(
  io: Io,
  ref: string,
  last: string | undefined,
  options: TriggerOptions,
): Promise<number> {
  const file = whichLog(last, options.db);
  const given = declaredBy(options);
  return reading(file, async (log) => {
    const call = findCall(caughtUp(io, log), ref).row.call_id;
    const declared = given.checklists.length > 0 ? given : { ...given, checklists: declaredLast(log, call) };
    const judged = await fire(liveOn(log, declared), {
      call,
      by: options.by,
      ...(options.detail === undefined
        ? {}
        : { detail: jsonOption('--detail', options.detail, '{"price": 9}') }),
      ...(options.user === undefined ? {} : { user: options.user }),
    });
    const { row } = callFound(log, call);
    const checked: Checked = {
      call_id: call,
      run_id: judged.run,
      gated: judged.gated,
      verdict: judged.verdict,
      verdict_digest: judged.verdict_digest,
      conditions: new Set(
        listConditions(rulesFor(judged.input), proposedArguments(judged.input)).map(({ id }) => id),
      ),
      added: true,
    };
    if (options.json === true)
      io.out(`${jsonText({ id: null, ...row, added: true, record: judged.verdict, notes: [] })}\n`);
    else io.out(verdictText(row, checked, file));
    return judged.verdict.kind === 'executable' ? 0 : 1;
  });
}

/** Of each checklist that the call was judged by, the version that the log holds last. */
function declaredLast(log: SqliteLog, call: string): Declared['checklists'] {
  const started = standingOf(log, call)?.run?.started;
  return (started?.checklists ?? []).flatMap(({ stream }) => {
    if (parseStream(stream).kind !== 'checklist')
      throw new GroundsError('events/stream', `${stream} declares no checklist.`, {
        hint: 'Replay the log.',
      });
    const event = newestIn(log, stream);
    if (event === null) return [];
    const { digest, body, declared_by } = event.data as DataOf<'ChecklistDeclared'>;
    // The user's own are carried by the trigger itself.
    return declared_by === 'user' ? [] : [{ digest, body: body as never }];
  });
}
