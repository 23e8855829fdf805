import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { REASONS, ROUTES } from '../src/events/vocabulary.ts';
import { ownerOf } from '../src/projections/gaps.ts';

const page = readFileSync('docs/rules.md', 'utf8');
const sources = ['src', 'replay'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8')),
);

const ID = /\b(?:S(?:[1-9]|1\d|2[0-4])|V(?:[1-9]|1[01])|R(?:[1-9]|1\d|2[0-2])[a-c]?|R-red)\b/g;

/** Ids in quotes (what a verdict prints) and after `RULES` or in brackets in a comment (what the source cites). */
function idsOf(source: string): string[] {
  const quoted = [...source.matchAll(/'([^'\n]*)'/g)].map(([, inner = '']) => inner);
  const cited = [...source.matchAll(/RULES[^.]*\.|\([^()]*\bR\d[^()]*\)/g)].map(([whole]) => whole);
  return [
    ...quoted.filter((inner) => inner.replace(ID, '') === ''),
    ...cited.flatMap((text) => text.match(ID) ?? []),
  ].filter((id) => id !== '');
}

const anchors = [...page.matchAll(/<a id="([^"]+)"><\/a>\*\*([^*]+)\*\*/g)];

it('docs/rules.md has every rule that a source names or a verdict prints, once', () => {
  for (const [, anchor, shown] of anchors) expect(anchor).toBe(shown);
  const ids = anchors.map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const named = [...new Set(sources.flatMap(idsOf))];
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
  const rows = [
    ...Array.from({ length: 24 }, (_, i) => `S${i + 1}`),
    ...Array.from({ length: 11 }, (_, i) => `V${i + 1}`),
  ];
  expect(rows.filter((id) => !ids.includes(id))).toEqual([]);
});

it('docs/rules.md has the sections that sources name by their titles', () => {
  const titles = new Set(
    sources.flatMap((source) => [
      ...[...source.matchAll(/section: (?:'([^']+)'|"([^"]+)")/g)].map(([, a, b]) => a ?? b ?? ''),
      ...[...source.matchAll(/RULES, "([^"]+)"/g)].map(([, title = '']) => title),
    ]),
  );
  expect(titles.size).toBeGreaterThan(2);
  for (const title of titles) expect(page).toMatch(new RegExp(`^## ${title}`, 'm'));
  expect(page).toContain('### CEL profile');
});

it('docs/rules.md explains every reason, in order, with the owners that the gate gives it', () => {
  const table = page.slice(page.indexOf('## Reasons'));
  const rows = [...table.matchAll(/^\| `(\w+)` \| (.+) \| (.+) \| (.+) \|$/gm)];
  expect(rows.map(([, reason]) => reason)).toEqual([...REASONS]);
  for (const [, name, means, , owners = ''] of rows) {
    const reason = REASONS.find((each) => each === name);
    if (reason === undefined) throw new Error(`There is no reason ${name}.`);
    expect(means).not.toBe('–');
    if (owners === '–') continue;
    const possible = [true, false].flatMap((intent) =>
      ROUTES.map((route) => ownerOf({ intent, reason, route })),
    );
    for (const owner of owners.split(', ')) expect(possible, reason).toContain(owner);
  }
});

it('no source cites a document that is not in this repository', () => {
  for (const source of sources)
    expect(source).not.toMatch(/DESIGN \d|DESIGN\.md|REFERENCE\.md|\bREFERENCE [a-z\d]/);
});
