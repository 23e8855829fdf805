import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { BANK_RULES, GROUNDED, INVENTED, jsonLines } from './bank.ts';
import { folder } from './terminal.ts';

const CLI = join(import.meta.dirname, '../../dist/cli.js');
const ROOT = join(import.meta.dirname, '../..');

beforeAll(() => {
  execFileSync('npm', ['run', 'build'], { cwd: ROOT, stdio: 'ignore' });
}, 180_000);

function cli(args: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  return { status, stdout, stderr };
}

function audited() {
  const dir = folder();
  const log = dir.path('bank.db');
  const runs = dir.file('runs.jsonl', jsonLines(GROUNDED, INVENTED));
  const rules = dir.file('bank.yaml', BANK_RULES);
  const { stdout } = cli(['audit', runs, '-c', rules, '--db', log]);
  return { ...dir, log, runs, rules, call: stdout.slice(0, 8) };
}

describe('the command', () => {
  test('has exit codes, and keeps stdout and stderr apart', () => {
    expect(cli(['--version'])).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' });
    expect(cli(['calls', 'nowhere.db'])).toMatchObject({ status: 2, stdout: '' });
    const { log, call } = audited();
    expect(cli(['why', call, log])).toMatchObject({ status: 0, stderr: '' });
    expect(cli(['replay', log])).toMatchObject({ status: 0, stderr: '' });
  });

  test('is silent where whoever reads its output goes away', () => {
    const { log } = audited();
    const command = `"${process.execPath}" "${CLI}" log "${log}" --json | head -c 1; exit \${PIPESTATUS[0]}`;
    const { status, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  test('colours only where it is asked to', () => {
    const { log, call } = audited();
    const colour = '\u001b[';
    expect(cli(['why', call, log]).stdout).not.toContain(colour);
    expect(cli(['why', call, log], { FORCE_COLOR: '1' }).stdout).toContain(colour);
    expect(cli(['why', call, log], { FORCE_COLOR: '1', NO_COLOR: '1' }).stdout).not.toContain(colour);
  });

  test('fits its text into the columns that it is told of, but for a command to copy, which stays whole', () => {
    const { log, call } = audited();
    const shown = cli(['why', call, log], { COLUMNS: '60' }).stdout.split('\n');
    const lines = shown.filter((line) => !line.startsWith('  grounds show '));
    expect(shown.length - lines.length).toBe(1);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  test('loads neither YAML nor the other commands to explain a call', () => {
    const { log, call } = audited();
    const trace = folder().path('loaded.txt');
    const hook = folder().file(
      'hook.mjs',
      `import { appendFileSync } from 'node:fs';
export async function load(url, context, next) { appendFileSync(${JSON.stringify(trace)}, url + '\\n'); return next(url, context); }`,
    );
    const register = folder().file(
      'register.mjs',
      `import { register } from 'node:module'; register(${JSON.stringify(`file://${hook}`)});`,
    );
    spawnSync(process.execPath, ['--import', register, CLI, 'why', call, log]);
    const loaded = readFileSync(trace, 'utf8');
    expect(loaded).toContain('/why');
    expect(loaded).not.toMatch(/\/(yaml|audit|check|verify)[^/]*\.js/);
  });

  test('starts in a few times what node itself takes', () => {
    const { log, call } = audited();
    const took = (args: readonly string[]): number => {
      const start = process.hrtime.bigint();
      spawnSync(process.execPath, args);
      return Number(process.hrtime.bigint() - start);
    };
    const ratios: number[] = [];
    for (let round = 0; round < 7; round++) ratios.push(took([CLI, 'why', call, log]) / took(['-e', '0']));
    // The bar is 4; on a machine that is busy with other tests a single ratio says little, so the best of seven counts.
    expect(Math.min(...ratios)).toBeLessThan(4);
  });
});

describe('the package', () => {
  test('holds what it needs and nothing else, and runs where it is installed', () => {
    const dir = folder();
    const packed = execFileSync(
      'npm',
      ['pack', '--ignore-scripts', '--json', '--pack-destination', dir.path('.')],
      {
        cwd: ROOT,
        encoding: 'utf8',
      },
    );
    const [{ filename, files }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }];
    const paths = files.map(({ path }) => path);
    for (const path of [
      'LICENSE',
      'dist/cli.js',
      'dist/index.js',
      'dist/third-party-licenses.txt',
      'fixtures/demo/conversations.jsonl',
    ]) {
      expect(paths).toContain(path);
    }
    expect(paths.filter((path) => /^(src|test|build|replay)\//.test(path))).toEqual([]);

    const app = dir.path('app');
    mkdirSync(join(app, 'node_modules'), { recursive: true });
    execFileSync('tar', ['-xzf', dir.path(filename), '-C', join(app, 'node_modules')]);
    execFileSync('mv', [join(app, 'node_modules/package'), join(app, 'node_modules/grounds')]);
    for (const name of readdirSync(join(ROOT, 'node_modules'))) {
      if (name !== 'grounds' && !name.startsWith('.')) {
        symlinkSync(join(ROOT, 'node_modules', name), join(app, 'node_modules', name));
      }
    }
    const installed = join(app, 'node_modules/grounds/dist/cli.js');
    expect(execFileSync(process.execPath, [installed, '--version'], { encoding: 'utf8' })).toBe('0.1.0\n');
    expect(execFileSync(process.execPath, [installed, 'demo'], { encoding: 'utf8' })).toContain(
      'equal, byte for byte',
    );

    writeFileSync(
      join(app, 'use.mjs'),
      `import { openMemoryLog, step } from 'grounds';
import { replayLog } from 'grounds/replay';
import { openSession } from 'grounds/mcp';
import * as testing from 'grounds/testing';
console.log(typeof step, typeof replayLog, typeof testing.given, typeof openSession, openMemoryLog().sizeSync());`,
    );
    expect(execFileSync(process.execPath, [join(app, 'use.mjs')], { encoding: 'utf8' })).toBe(
      'function function function function 0\n',
    );

    writeFileSync(
      join(app, 'use.mts'),
      `import { type CallRow, drive, openSqliteLog } from 'grounds';
import { type ReplaySummary, exitOf } from 'grounds/replay';
import { type Session, openSession } from 'grounds/mcp';
import { given } from 'grounds/testing';
export const close = (session: Session): Promise<void> => session.close();
export const row = (all: readonly CallRow[]): string | undefined => all[0]?.call_id;
export const exit = (summary: ReplaySummary): number => exitOf(summary);
export const used = [drive, given, openSession, openSqliteLog];`,
    );
    writeFileSync(
      join(app, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          module: 'NodeNext',
          target: 'ES2022',
          strict: true,
          noEmit: true,
          skipLibCheck: true,
          types: ['node'],
        },
        files: ['use.mts'],
      }),
    );
    const tsc = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', app], {
      encoding: 'utf8',
    });
    expect(tsc.stdout).toBe('');
    expect(tsc.status).toBe(0);
  });

  test('has a schema for whatever it reads, stores and prints of requests', () => {
    const schemas = readdirSync(join(ROOT, 'dist/schemas'));
    for (const name of ['checklist', 'check-request', 'event-envelope', 'event-verdict-recorded']) {
      expect(schemas).toContain(`${name}.schema.json`);
    }
    expect(existsSync(join(ROOT, 'dist/types/src/index.d.ts'))).toBe(true);
  });
}, 120_000);

const python = spawnSync('python3', ['--version']).status === 0;

test.runIf(python)('the README’s Python asks before its call, and says what is missing', () => {
  const { file, path } = folder();
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const shown = (language: string) =>
    new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1] ?? '';
  const program = file('ask.py', shown('python'));
  file('policy.yaml', shown('yaml'));
  const bin = path('bin');
  mkdirSync(bin);
  // npx grounds, as where the package is installed.
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${CLI}" "$@"\n`, {
    mode: 0o755,
  });
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH ?? ''}` };
  const { status, stdout, stderr } = spawnSync('python3', [program], {
    encoding: 'utf8',
    env,
    cwd: path('.'),
  });
  expect([status, stderr, stdout]).toEqual([0, '', "unknown [('known_payee', 'system_lookup')]\n"]);
});
