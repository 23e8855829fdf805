import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Io } from '../io.ts';
import { caughtUp, reading } from '../open-log.ts';
import { packageFolder } from '../package-folder.ts';
import { wrapped } from '../text.ts';
import { audit } from './audit.ts';
import { replay } from './replay.ts';
import { why } from './why.ts';

export interface DemoOptions {
  readonly json?: boolean;
  readonly keep?: boolean;
}

/** So many explanations are a story; more are a list. */
const MOST = 6;

/** The whole story in one minute, on conversations that come with the package: audit, why, replay. Leaves nothing behind. */
export async function demo(io: Io, options: DemoOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'grounds-demo-'));
  const db = join(folder, 'grounds.db');
  const json = options.json === true;
  const step = (command: string, says: string): void => {
    if (!json) io.out(`\n$ grounds ${command}\n${wrapped(says, io.width, '  ')}\n\n`);
  };
  try {
    const files = packageFolder('fixtures/demo');
    const transcripts = join(files, 'conversations.jsonl');
    step(
      'audit conversations.jsonl --checklist checklist.yaml',
      'An agent has already run these calls. What would a gate have found before each of them?',
    );
    await audit(io, [transcripts], {
      checklist: [join(files, 'checklist.yaml')],
      ruleset: 'standard',
      db,
      json,
      leftBehind: options.keep === true,
    });
    for (const call of await interesting(io, db)) {
      step(
        `why ${call.slice(0, 8)}`,
        'Each value, condition and intent, with the place that it was confirmed from.',
      );
      await why(io, call, undefined, { db, json, leftBehind: options.keep === true });
    }
    step(
      'replay',
      'The same gate once more, with the log in place of the world. Every byte must come out the same.',
    );
    return await replay(io, undefined, { db, json });
  } finally {
    if (options.keep !== true) rmSync(folder, { recursive: true, force: true });
    else if (!json) io.out(`\nThe log is kept: ${db}\n`);
    if (!json && options.keep !== true)
      io.out(
        `\n${wrapped('The log of this demo is gone; grounds demo --keep (npm run demo -- --keep) leaves it there to look into.', io.width)}\n`,
      );
  }
}

/** The calls without grounds, and one on good grounds to compare them with, in the order of the log. */
async function interesting(io: Io, db: string): Promise<string[]> {
  return reading(db, (log) => {
    const rows = [...caughtUp(io, log).calls()].filter(({ gated }) => gated);
    const good = rows.find(({ verdict }) => verdict === 'executable');
    const without = rows.filter(({ ran_without_grounds }) => ran_without_grounds).slice(0, MOST - 1);
    return rows.filter((row) => row === good || without.includes(row)).map(({ call_id }) => call_id);
  });
}
