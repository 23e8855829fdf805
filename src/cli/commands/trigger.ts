import { GroundsError } from '../../errors.ts';
import { type DataOf, parseStream } from '../../events/index.ts';
import { listConditions } from '../../gate/conditions.ts';
import { rulesFor } from '../../gate/index.ts';
import { proposedArguments } from '../../gate/slot-list.ts';
import type { SqliteLog } from '../../log/sqlite.ts';
import { trigger as fire, type Trigger } from '../../preflight/deferral.ts';
import { type DeferredCall, deferredCalls } from '../../preflight/deferred-calls.ts';
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
import { columns, oneLine, plural } from '../text.ts';
import { verdictText } from '../verdict-text.ts';
import { isLog, whichLog } from '../which-log.ts';
import { wouldAsk } from '../would-ask.ts';

export interface TriggerOptions extends DeclaredOptions {
  readonly json?: boolean;
  readonly db?: string;
  readonly by: Trigger['by'];
  readonly detail?: string;
  readonly user?: string;
}

/**
 * Records that the trigger of a deferred call fired, and judges it anew; with no call named it lists those that wait.
 * @returns 0 where it is executable, else 1; of the list 0
 */
export async function trigger(
  io: Io,
  first: string | undefined,
  last: string | undefined,
  options: TriggerOptions,
): Promise<number> {
  if (first === undefined || (last === undefined && isLog(first)))
    return list(io, whichLog(first, options.db), options.json === true);
  return fireOne(io, first, last, options);
}

async function list(io: Io, file: string, json: boolean): Promise<number> {
  return reading(file, async (log) => {
    const rows: string[][] = [];
    for (const call of deferredCalls(log)) {
      if (json) io.out(`${jsonText(call)}\n`);
      else rows.push(cells(call));
    }
    if (json) return 0;
    io.out(
      rows.length === 0 ? 'No call waits for its trigger.\n' : `${plural(rows.length, 'call')} for later:\n`,
    );
    for (const line of columns(rows)) io.out(`  ${line}\n`);
    return 0;
  });
}

function cells({ call, tool, timing, words, due }: DeferredCall): string[] {
  const said = words === null ? '' : `“${oneLine(words, 40)}”`;
  return [call.slice(0, 8), oneLine(tool, 40), timing, due === null ? 'no time' : `due ${due}`, said];
}

async function fireOne(
  io: Io,
  ref: string,
  last: string | undefined,
  options: TriggerOptions,
): Promise<number> {
  const file = whichLog(last, options.db);
  const given = declaredBy(options);
  return reading(file, async (log) => {
    const call = findCall(caughtUp(io, log), ref, log).row.call_id;
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
      input: judged.input,
      verdict: judged.verdict,
      verdict_digest: judged.verdict_digest,
      conditions: new Set(
        listConditions(rulesFor(judged.input), proposedArguments(judged.input)).map(({ id }) => id),
      ),
      added: true,
    };
    const asks = wouldAsk(log, checked);
    if (options.json === true)
      io.out(`${jsonText({ id: null, ...row, added: true, record: judged.verdict, asks, notes: [] })}\n`);
    else io.out(verdictText(row, checked, asks, file));
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
