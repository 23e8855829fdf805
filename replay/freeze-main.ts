import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { freezeGate } from './freeze.ts';

/**
 * `npm run gate` writes the digest of the gate as it stands to src/gate-digest.ts. `npm run gate -- --release` also keeps
 * its frozen file in fixtures/gates, for good: a run is always replayed with the very gate that judged it.
 */
const DIGEST_FILE = 'src/gate-digest.ts';
const FROZEN = 'fixtures/gates';

const { digest, code } = await freezeGate(process.cwd());
const before = readFileSync(DIGEST_FILE, 'utf8');
const after = before.replace(/sha256:[0-9a-f]{64}/, digest);
if (after !== before) writeFileSync(DIGEST_FILE, after);
console.log(`${digest} ${after === before ? 'stands in' : 'written to'} ${DIGEST_FILE}`);
if (process.argv.includes('--release')) {
  const file = `${FROZEN}/${digest.slice('sha256:'.length)}.mjs`;
  mkdirSync(FROZEN, { recursive: true });
  writeFileSync(file, code);
  console.log(`frozen in ${file}`);
}
