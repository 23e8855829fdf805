import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { explain, renderWhy } from '../src/explain/index.ts';
import {
  type AskedQuestion,
  byRules,
  createExecutor,
  createPreflight,
  environment,
  GATE_DIGEST,
  type GivenSegment,
  importerOf,
  loadChecklistFile,
  openSqliteLogSync,
  parseChecklist,
  randomId,
  readTranscripts,
  type ToolCall,
} from '../src/index.ts';
import { projectionsOf } from '../src/projections/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'grounds-readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const README = readFileSync('README.md', 'utf8');

/** What stands here between the lines that name it, as the page's reader has it. */
function toldIn(region: string, file: string): string {
  const source = readFileSync('test/readme.test.ts', 'utf8');
  const lines = source.split('\n');
  const from = lines.indexOf(`  // region: ${region}`);
  const to = lines.indexOf('  // end region', from);
  return (
    lines
      .slice(from + 1, to)
      .join('\n')
      // The page's reader has a folder of their own; a test leaves no log in this one.
      .replace(`join(folder, '${file}')`, "'grounds.db'")
  );
}

// Line breaks are the formatter's in one place and the page's in the other.
function flat(text: string): string {
  return text
    .replace(/\s+/g, '')
    .replaceAll(',}', '}')
    .replaceAll(',)', ')')
    .replaceAll('as const', '')
    .replaceAll('asconst', '');
}

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
  expect(flat(README)).toContain(flat(toldIn('the library', 'grounds.db')));
});

/** The parts that the README's reader brings: two hooks, a tool, and one proposed call. */
const account = (settled: Readonly<Record<string, unknown>>, slot: string) => settled[slot] as string;
const measures = {
  find_payee: ({ settled }: { settled: Readonly<Record<string, unknown>> }) => ({
    valid: true,
    value: { account: account(settled, '/to_account'), verified: true },
  }),
  get_spending: () => ({ valid: true, value: { account: 'A-1', spent: 10, limit: 1000 } }),
};
const paying = (words: string) => ({
  conversation: randomId(),
  segments: [{ author: 'user', typed: true, body: words }] as readonly GivenSegment[],
  args: { amount: 120, from_account: 'A-1', to_account: 'B-2' },
  tool: { server: 'bank', name: 'send_payment', inputSchema: {} },
  user: 'ann',
});

async function gate(
  { conversation, segments, args, tool, user }: ReturnType<typeof paying>,
  { find_payee, get_spending }: typeof measures,
  call: ToolCall,
  show: (questions: readonly AskedQuestion[]) => void,
): Promise<void> {
  // region: the gate
  const log = openSqliteLogSync({ file: join(folder, 'gate.db'), create: true });
  const checklists = [loadChecklistFile('fixtures/demo/checklist.yaml')];
  const hooks = { ...byRules, measure: { find_payee, get_spending } };
  const preflight = createPreflight({ log, checklists, hooks });
  const executor = createExecutor({ log, name: 'payments/1', call });

  const request = await preflight.openRequest({ conversation });
  await preflight.say(conversation, segments); // [{ author: 'user', typed: true, body: 'Send 120.' }]: only the user's own typing is typed
  const proposed = { conversation, request, call: randomId(), tool, arguments: args, user }; // tool: as MCP lists it
  const judged = await preflight.judge(proposed);
  if (judged.verdict.kind === 'executable') await executor.execute({ run: judged.run });
  else show(await preflight.ask(judged)); // all that is missing, in one list; of unmet or schedulable none
  // end region
  await log.close();
}

test('the gate in front of a call does what the README says, word for word', async () => {
  const paid: unknown[] = [];
  const shown: string[] = [];
  const call: ToolCall = async (_, args) => {
    paid.push(args);
    return { result: 'sent', failed: false };
  };
  const show = (questions: readonly AskedQuestion[]) => shown.push(...questions.map(({ text }) => text));
  await gate(paying('Send 120.'), measures, call, show);
  expect(paid).toEqual([]);
  expect(shown.join(' ')).toContain('To which account?');
  await gate(paying('Send 120 from A-1 to B-2.'), measures, call, show);
  expect(paid).toEqual([{ amount: 120, from_account: 'A-1', to_account: 'B-2' }]);
  expect(flat(README)).toContain(flat(toldIn('the gate', 'gate.db')));
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
