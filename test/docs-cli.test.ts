import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { processIo } from '../src/cli/io.ts';
import { programOf } from '../src/cli/program.ts';
import { FORMATS } from '../src/transcripts/index.ts';

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

test('docs/cli.md has every command and every format', () => {
  const text = readFileSync('docs/cli.md', 'utf8');
  for (const name of commands) expect(text).toMatch(new RegExp(`^## .*\\b${name}\\b`, 'm'));
  for (const { name } of FORMATS) expect(text).toContain(`\`${name}\``);
});
