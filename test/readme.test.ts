import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { explain, renderWhy } from '../src/explain/index.ts';
import {
  environment,
  GATE_DIGEST,
  importerOf,
  loadChecklistFile,
  openSqliteLogSync,
  parseChecklist,
  randomId,
  readTranscripts,
} from '../src/index.ts';
import { projectionsOf } from '../src/projections/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'grounds-readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const README = readFileSync('README.md', 'utf8');

async function library(print: (...parts: string[]) => void): Promise<void> {
  const console = { log: print };
  // region: the library
  const policy = 'fixtures/demo/checklist.yaml';
  const transcript = 'fixtures/demo/conversations.jsonl';
  const file = join(folder, 'grounds.db');

  const { checklist, digest } = loadChecklistFile(policy);
  const declared = {
    checklists: [{ digest, body: checklist }],
    unsound: [],
    tools: new Map(),
    gate: GATE_DIGEST,
    ruleset: 'standard' as const,
  };
  const log = openSqliteLogSync({ file, create: true });
  const importer = importerOf({
    log,
    declared,
    clock: () => new Date().toISOString(),
    newId: randomId,
    environment: environment(),
  });
  for (const conversation of readTranscripts(transcript)) {
    for (const { audited } of importer.add(conversation)) {
      if (audited.driven !== null) console.log(audited.call.tool, audited.driven.verdict.kind);
    }
  }
  await log.close();
  // end region
}

test('the library in a few lines does what the README says, word for word', async () => {
  const lines: string[] = [];
  await library((...parts) => lines.push(parts.join(' ')));
  expect(lines).toEqual([
    'send_payment executable',
    'send_payment unknown',
    'send_payment unmet',
    'pay_several unknown',
  ]);
  const source = readFileSync('test/readme.test.ts', 'utf8');
  const region = /\/\/ region: the library\n([\s\S]*?) {2}\/\/ end region/.exec(source)?.[1] ?? '';
  const told = region
    .split('\n')
    .map((line) => line.slice(2))
    .join('\n')
    // The page's reader has a folder of their own; a test leaves no log in this one.
    .replace("join(folder, 'grounds.db')", "'grounds.db'")
    .trim();
  // Line breaks are the formatter's in one place and the page's in the other.
  const flat = (text: string) =>
    text
      .replace(/\s+/g, '')
      .replaceAll(',}', '}')
      .replaceAll(',)', ')')
      .replaceAll('as const', '')
      .replaceAll('asconst', '');
  expect(flat(README)).toContain(flat(told));
});

test('the checklist that the README shows loads', () => {
  const [shown = ''] = [...README.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text);
  expect(parseChecklist(shown, 'readme.yaml').checklist.checklist).toBe('demo/payments');
});

test('the why that the README shows is what the demo prints', () => {
  const log = openSqliteLogSync({ file: join(folder, 'grounds.db') });
  const projections = projectionsOf(log);
  projections.catchUp();
  const [invented] = [...projections.calls({ verdict: 'unknown' })];
  const row = projections.call(invented?.call_id ?? '');
  const place = projections.place(invented?.call_id ?? '');
  if (row === null || place === null) throw new Error('The demo has no call with an invented value.');
  const told = renderWhy(explain(log, place, row), { width: 100, color: false });
  void log.close();
  const shown = /```\n(send_payment · [\s\S]*?)```/.exec(README)?.[1] ?? '';
  // Ids and times are each log's own; whether it replays is the command's to add.
  const same = (text: string) =>
    text
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/g, 'TIME')
      .split('\n')
      .filter((line) => !/^ {2}replay|^ {2}grounds/.test(line))
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim();
  expect(same(shown)).toBe(same(told));
});
