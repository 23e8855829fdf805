import { importerOf } from '../../src/audit/import.ts';
import { loadChecklistFile } from '../../src/declarations/load.ts';
import { randomId } from '../../src/events/random-id.ts';
import { GATE_DIGEST } from '../../src/gate-digest.ts';
import { openSqliteLogSync } from '../../src/log/index.ts';
import { environment } from '../../src/runs/environment.ts';
import { readTranscripts } from '../../src/transcripts/index.ts';

/** The other process of the tests: imports one file into one log and tells after each conversation. `stay`: it then waits to be killed. */
const [file = '', transcript = '', checklist = '', then = 'end'] = process.argv.slice(2);
const log = openSqliteLogSync({ file, create: true });
const { checklist: body, digest } = loadChecklistFile(checklist);
const importer = importerOf({
  log,
  declared: {
    checklists: [{ digest, body }],
    unsound: [],
    tools: new Map(),
    gate: GATE_DIGEST,
    ruleset: 'standard',
  },
  clock: () => new Date().toISOString(),
  newId: randomId,
  environment: environment(),
});
for (const conversation of readTranscripts(transcript)) {
  importer.add(conversation);
  process.send?.(conversation.origin.line);
}
await log.close();
process.send?.('done');
if (then === 'stay') setInterval(() => {}, 60_000);
else process.disconnect?.();
