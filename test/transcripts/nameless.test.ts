import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isGroundsError } from '../../src/errors.ts';
import { readTranscripts } from '../../src/transcripts/index.ts';
import { folder } from '../cli/terminal.ts';

const FOLDER = 'fixtures/transcripts';

test.each(readdirSync(FOLDER))(
  '%s with empty tool names is refused with its line, or says what it left out',
  (name) => {
    const file = join(FOLDER, name);
    const tools = new Set([...readTranscripts(file)].flatMap(({ calls }) => calls.map(({ tool }) => tool)));
    expect(tools.size).toBeGreaterThan(0);
    let text = readFileSync(file, 'utf8');
    for (const tool of tools) text = text.replaceAll(`"${tool}"`, '""').replaceAll(`\\"${tool}\\"`, '\\"\\"');
    const blank = folder().file(name, text);
    try {
      for (const { calls, tools: declared, notes } of readTranscripts(blank)) {
        expect([...calls.map(({ tool }) => tool), ...declared.map((tool) => tool.name)]).not.toContain('');
        expect(notes.length).toBeGreaterThan(0);
      }
    } catch (error) {
      if (!isGroundsError(error)) throw error;
      expect([error.code, error.message]).toEqual(['transcript/shape', expect.stringMatching(/line \d+/)]);
    }
  },
);
