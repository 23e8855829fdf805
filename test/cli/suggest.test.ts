import { describe, expect, test } from 'vitest';
import { parseChecklist } from '../../src/declarations/load.ts';
import { GROUNDED, INVENTED, jsonLines } from './bank.ts';
import { folder, grounds } from './terminal.ts';

describe('suggest', () => {
  test('prints a checklist that loads, under the name that is wanted', async () => {
    const { file } = folder();
    const runs = file('runs.jsonl', jsonLines(GROUNDED, INVENTED));
    const { exit, out, err } = await grounds(['suggest', runs, '--name', 'bank/draft']);
    expect([exit, err]).toEqual([0, '']);
    expect(parseChecklist(out, 'draft.yaml').checklist.checklist).toBe('bank/draft');
    expect(out).toContain('#       /amount: { reader: money }');
    expect(out).toContain('"acc-99"');
  });

  test('keeps no example value where none is wanted', async () => {
    const { file } = folder();
    const runs = file('runs.jsonl', jsonLines(GROUNDED, INVENTED));
    const { out } = await grounds(['suggest', runs, '--no-examples']);
    expect(out).toContain('/to: 2 values');
    expect(out).not.toMatch(/acc-\d/);
  });

  test('prints the draft as one JSON object', async () => {
    const { file } = folder();
    const runs = file('runs.jsonl', jsonLines(GROUNDED, INVENTED));
    const lines = (await grounds(['suggest', runs, '--json'])).lines();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ schema: 1, conversations: 2, calls: 4 });
  });

  test('stops at a faulty line with exit 2, and with --keep-going drafts from the rest', async () => {
    const { file } = folder();
    const runs = file('runs.jsonl', `${jsonLines(GROUNDED)}{"messages": \n${jsonLines(INVENTED)}`);
    expect(await grounds(['suggest', runs])).toMatchObject({ exit: 2, out: '' });
    const kept = await grounds(['suggest', runs, '--keep-going', '--json']);
    expect(kept.exit).toBe(2);
    expect(kept.err).toContain('skipped: ');
    expect(kept.lines()[0]).toMatchObject({ conversations: 2 });
  });

  test('refuses a name that no checklist can have', async () => {
    const { file } = folder();
    const runs = file('runs.jsonl', jsonLines(GROUNDED));
    const { exit, err } = await grounds(['suggest', runs, '--name', 'My Rules']);
    expect(exit).toBe(2);
    expect(err).toContain('My Rules is no name of a checklist.');
  });
});
