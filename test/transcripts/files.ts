import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { isGroundsError } from '../../src/errors.ts';
import { type Conversation, type ReadOptions, readTranscripts } from '../../src/transcripts/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'grounds-transcripts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

export function fixture(name: string): string {
  return new URL(`../../fixtures/transcripts/${name}`, import.meta.url).pathname;
}

export function fixtureText(name: string): string {
  return readFileSync(fixture(name), 'utf8');
}

let written = 0;
/** Writes a transcript to a file of its own. */
export function fileOf(content: string | Uint8Array): string {
  const path = join(folder, `${++written}.json`);
  writeFileSync(path, content);
  return path;
}

/** Writes it over the one before, where there are many thousands. */
export function scratchOf(content: Uint8Array): string {
  const path = join(folder, 'scratch.json');
  writeFileSync(path, content);
  return path;
}

export function readAll(path: string, options: ReadOptions = {}): Conversation[] {
  return [...readTranscripts(path, options)];
}

/** Reads a transcript given as a JSON value, which holds one conversation. */
export function conversationOf(value: unknown): Conversation {
  const [only, ...more] = readAll(fileOf(JSON.stringify(value)));
  if (!only || more.length > 0) throw new Error('not exactly one conversation');
  return only;
}

/** The fault that reading ends with. */
export function faultOf(
  path: string,
  options: ReadOptions = {},
): { code: string; line: unknown; text: string } {
  try {
    readAll(path, options);
  } catch (error) {
    if (isGroundsError(error)) return { code: error.code, line: error.facts.line, text: error.message };
    throw error;
  }
  throw new Error('reading ended without a fault');
}

/** A chat of which the last message calls a tool with these arguments. */
export function calling(...calls: unknown[]): unknown[] {
  return [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: null, tool_calls: calls },
  ];
}

export function call(id: string | null, name: string, args: unknown): unknown {
  return { id, type: 'function', function: { name, arguments: args } };
}
