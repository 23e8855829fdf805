import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dynData, readAgentDyn } from './agentdyn.ts';
import { printAgentDyn } from './agentdyn-print.ts';
import { CORPUS_IDS, readCorpus, realData } from './corpora.ts';
import { print } from './print.ts';

/** `npm run figures`: from the project's folder, where npm starts it. `-- --write` keeps what it finds. */
const FILE = 'docs/figures.md';
const [flag, ...more] = process.argv.slice(2);
const data = realData();
const dynamic = dynData();

if (more.length > 0 || (flag !== undefined && flag !== '--write')) {
  process.stderr.write('Usage: npm run figures [-- --write]\n');
  process.exitCode = 2;
} else if (data === null || dynamic === null) {
  const named = process.env.GROUNDS_REAL_DATA;
  process.stderr.write(
    `${named ? `There are not both folders tau-bench/ and agentdyn/ in ${named}` : 'GROUNDS_REAL_DATA is not set'}: the figures can't be recomputed.\n` +
      `The last ones, with the digests of what they were computed from, are in ${FILE}.\n`,
  );
  process.exitCode = 2;
} else {
  const corpora = CORPUS_IDS.map((id) => {
    process.stderr.write(`Judging the writes of ${id} ...\n`);
    return readCorpus(id, data, '.');
  });
  process.stderr.write('Judging the writes of AgentDyn ...\n');
  const dyn = printAgentDyn(readAgentDyn(dynamic, '.'));
  process.stdout.write(`${print(corpora, { quotes: true })}\n${dyn}`);
  const kept = `${print(corpora, { quotes: false })}\n${dyn}`;
  if (flag === '--write') {
    writeFileSync(FILE, kept);
    process.stderr.write(`Written to ${FILE}.\n`);
  } else if (existsSync(FILE) && readFileSync(FILE, 'utf8') === kept) {
    process.stderr.write(`${FILE} holds the same figures.\n`);
  } else {
    process.stderr.write(`${FILE} holds other figures or inputs: npm run figures -- --write\n`);
  }
}
