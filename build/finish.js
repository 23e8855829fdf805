import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What follows the bundles: types, schemas, the licences of what is bundled, and the command's right to be run. */
const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

pointTypesAtModules();
execFileSync(process.execPath, [join(dist, 'cli.js'), 'schema', '--write', join(dist, 'schemas')]);
writeFileSync(join(dist, 'third-party-licenses.txt'), bundledLicences());
chmodSync(join(dist, 'cli.js'), 0o755);

/** tsc leaves `./x.ts` in declarations as it is written; what a consumer's compiler finds everywhere is `./x.js`. */
function pointTypesAtModules() {
  const folder = join(dist, 'types');
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/(\bfrom |\bimport\()(["'])(\.{1,2}\/[^"']*)\.ts\2/g, '$1$2$3.js$2'));
  }
}

function bundledLicences() {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const bundled = Object.keys(dependencies).filter(
    (name) => name !== 'better-sqlite3' && !name.startsWith('@types/'),
  );
  return bundled
    .sort()
    .map((name) => {
      const folder = join(root, 'node_modules', name);
      const { version, license, author, homepage } = JSON.parse(
        readFileSync(join(folder, 'package.json'), 'utf8'),
      );
      const file = join(folder, 'LICENSE');
      const text = existsSync(file)
        ? readFileSync(file, 'utf8').trim()
        : `It comes without a licence file; its package says ${license}. By ${author}, ${homepage}`;
      return `${name} ${version} (${license})\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
