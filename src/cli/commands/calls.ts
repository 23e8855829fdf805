import type { VerdictKind } from '../../events/vocabulary.ts';
import type { CallRow } from '../../projections/call-row.ts';
import { callCells } from '../call-line.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { caughtUp, reading } from '../open-log.ts';
import { columns } from '../text.ts';
import { whichLog } from '../which-log.ts';

export interface CallsOptions {
  readonly json?: boolean;
  readonly db?: string;
  readonly tool?: string;
  readonly verdict?: VerdictKind;
  readonly withoutGrounds?: boolean;
  readonly file?: string;
  readonly limit?: number;
  readonly after?: string;
}

const PAGE = 200;

/** Lists calls in the order of the log: one line each, or one row each as JSON. */
export async function calls(io: Io, last: string | undefined, options: CallsOptions): Promise<void> {
  await reading(whichLog(last, options.db), (log) => {
    const { tool, verdict, file, limit, after, withoutGrounds } = options;
    const query = {
      ...(tool === undefined ? {} : { tool }),
      ...(verdict === undefined ? {} : { verdict }),
      ...(file === undefined ? {} : { file }),
      ...(limit === undefined ? {} : { limit }),
      ...(after === undefined ? {} : { after }),
      ...(withoutGrounds === true ? { without_grounds: true } : {}),
    };
    let page: CallRow[] = [];
    const print = (): void => {
      for (const line of columns(page.map(callCells))) io.out(`${line}\n`);
      page = [];
    };
    let any = false;
    for (const row of caughtUp(io, log).calls(query)) {
      if (io.closed()) return;
      any = true;
      if (options.json === true) io.out(`${jsonText(row)}\n`);
      else if (page.push(row) === PAGE) print();
    }
    print();
    if (!any && options.json !== true) io.out('No calls.\n');
  });
}
