import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { processIo } from '../src/cli/io.ts';
import { programOf } from '../src/cli/program.ts';
import { FORMATS } from '../src/transcripts/index.ts';
import { grounds } from './cli/terminal.ts';

const program = programOf(processIo(), () => {});
const commands = program.commands.map((command) => command.name());
const flagsOf = (command: Command): (string | undefined)[] => [
  ...command.options.flatMap(({ long, short }) => [long, short]),
  ...command.commands.flatMap(flagsOf),
];
const flags = new Set([...flagsOf(program), '--help']);

const pages = [
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

describe.each(pages)('%s', (page) => {
  const text = readFileSync(page, 'utf8');

  test('names commands and options that exist', () => {
    const named = [...text.matchAll(/(?:^|`|npx |\| )grounds ([a-z]+)(?= |`|$)/gm)].map(([, name]) => name);
    expect(named.filter((name) => !commands.includes(name ?? ''))).toEqual([]);
    const options = [...text.matchAll(/(?<=[`\s|])--[a-z][a-z-]*/g)].map(([flag]) => flag);
    expect(options.filter((flag) => !flags.has(flag))).toEqual([]);
  });

  test('links to pages and anchors that exist', () => {
    for (const [, path = '', anchor] of text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
      const file = path === '' ? page : join(page, '..', path);
      if (path.endsWith('/')) expect(readdirSync(file).length).toBeGreaterThan(0);
      else {
        const target = readFileSync(file, 'utf8');
        const titles = [...target.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
          title
            .toLowerCase()
            .replace(/[^a-z0-9 _-]/g, '')
            .replaceAll(' ', '-'),
        );
        const ids = [...target.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id);
        if (anchor !== undefined) expect([...titles, ...ids], `${file}#${anchor}`).toContain(anchor);
      }
    }
  });
});

const cli = readFileSync('docs/cli.md', 'utf8');

/** The section of a command, by its title. */
function section(name: string): string {
  return new RegExp(`^## [^\\n]*\\b${name}\\b[\\s\\S]*?(?=^## |(?![\\s\\S]))`, 'm').exec(cli)?.[0] ?? '';
}

/** The options that a command takes, and those of the commands under it; `--json` and `--db` are told once for all. */
function ownFlags(command: Command): string[] {
  const own = command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []);
  return [...own, ...command.commands.flatMap(ownFlags)].filter((flag) => !['--json', '--db'].includes(flag));
}

test.each(program.commands.map((command) => [command.name(), command] as const))(
  'docs/cli.md describes %s with every option of it, and every command under it',
  (name, command) => {
    const text = section(name);
    expect(ownFlags(command).filter((flag) => !new RegExp(`${flag}(?![a-z-])`).test(text))).toEqual([]);
    expect(command.commands.map((each) => each.name()).filter((each) => !text.includes(each))).toEqual([]);
  },
);

test('docs/cli.md lists every published schema', async () => {
  const names = (await grounds(['schema'])).out
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s/)[0] ?? '');
  expect(names.length).toBeGreaterThan(20);
  const text = section('schema');
  expect(names.filter((name) => !name.startsWith('event-') && !text.includes(`\`${name}\``))).toEqual([]);
});

test('docs/cli.md has every command and every format', () => {
  const text = cli;
  for (const name of commands) expect(text).toMatch(new RegExp(`^## .*\\b${name}\\b`, 'm'));
  for (const { name } of FORMATS) expect(text).toContain(`\`${name}\``);
});
