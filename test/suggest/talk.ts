import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Checklist } from '../../src/declarations/checklist.ts';
import { parseChecklist } from '../../src/declarations/load.ts';
import type { Json } from '../../src/events/json.ts';
import { type ArgumentDraft, type Draft, suggest } from '../../src/suggest/index.ts';
import { type Conversation, readTranscripts } from '../../src/transcripts/index.ts';

/** One line of a conversation: who says what, or a call with its result. */
export type Line =
  | { user: string }
  | { agent: string }
  | { system: string }
  | { call: string; args: Json; gives: Json };

/** Conversations in the common chat format, read as a transcript file is. */
export function talks(...all: readonly (readonly Line[])[]): Conversation[] {
  const dir = mkdtempSync(join(tmpdir(), 'grounds-suggest-'));
  try {
    const file = join(dir, 'talks.jsonl');
    writeFileSync(
      file,
      all.map((lines) => `${JSON.stringify({ messages: lines.flatMap(messagesOf) })}\n`).join(''),
    );
    return [...readTranscripts(file)];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function messagesOf(line: Line, index: number): Json[] {
  if ('user' in line) return [{ role: 'user', content: line.user }];
  if ('agent' in line) return [{ role: 'assistant', content: line.agent }];
  if ('system' in line) return [{ role: 'system', content: line.system }];
  const id = `c${index}`;
  const call = { id, type: 'function', function: { name: line.call, arguments: JSON.stringify(line.args) } };
  const content = typeof line.gives === 'string' ? line.gives : JSON.stringify(line.gives);
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content },
  ];
}

export function argument(draft: Draft, tool: string, pattern: string): ArgumentDraft {
  const found = draft.tools
    .find((one) => one.tool === tool)
    ?.arguments.find((one) => one.pattern === pattern);
  if (found === undefined) throw new Error(`The draft has no ${tool} ${pattern}.`);
  return found;
}

export function drafted(...all: readonly (readonly Line[])[]): Draft {
  return suggest(talks(...all));
}

/** The file as it is, and with every guess taken. */
export function loaded(text: string): { readonly asItIs: Checklist; readonly taken: Checklist } {
  return {
    asItIs: parseChecklist(text, 'draft.yaml').checklist,
    taken: parseChecklist(text.replace(/^# /gm, ''), 'taken.yaml').checklist,
  };
}
