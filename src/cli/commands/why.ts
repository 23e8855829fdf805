import { renderWhy } from '../../explain/render.ts';
import { explain } from '../../explain/why.ts';
import { findCall } from '../find-call.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { caughtUp, reading } from '../open-log.ts';
import { onLog } from '../printed-command.ts';
import { replayOne } from '../replay-one.ts';
import { whichLog } from '../which-log.ts';

export interface WhyOptions {
  readonly json?: boolean;
  readonly db?: string;
  readonly replay?: boolean;
  /** false: the log is of this process alone, so commands to copy don't name it. */
  readonly leftBehind?: boolean;
}

/**
 * Why one call ran, or did not: on one screen, or as one object with the same facts.
 * @returns 0 · 1 the gate does not reach the recorded verdict again · 4 what the call rests on was changed
 */
export async function why(
  io: Io,
  ref: string,
  last: string | undefined,
  options: WhyOptions,
): Promise<0 | 1 | 4> {
  return reading(whichLog(last, options.db), async (log) => {
    const { leftBehind = true } = options;
    const { row, place } = findCall(caughtUp(io, log), ref, log);
    const replayed = options.replay === false ? null : await replayOne(log, place);
    const explanation = explain(log, place, row, { replay: () => replayed });
    if (options.json === true) io.out(`${jsonText(explanation)}\n`);
    else
      io.out(
        renderWhy(explanation, {
          width: io.width,
          color: io.color,
          onLog: leftBehind ? onLog(log.file) : '',
        }),
      );
    const { record } = explanation.headline;
    return record === null ? 0 : record.state === 'changed' ? 4 : 1;
  });
}
