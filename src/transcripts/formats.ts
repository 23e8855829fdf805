import { isArray, type Json } from '../events/json.ts';
import { agentdojo } from './agentdojo.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { badInput } from './bad-input.ts';
import { claudeCode } from './claude-code.ts';
import type { Format } from './format.ts';
import { inspectAi } from './inspect-ai.ts';
import { langchain } from './langchain.ts';
import { mcpLog } from './mcp-log.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import { otelGenai } from './otel-genai.ts';
import { toolemu } from './toolemu.ts';

/** The more telling a format's marks are, the earlier it stands: the first that claims a value reads it. */
export const FORMATS: readonly Format[] = [
  mcpLog,
  claudeCode,
  inspectAi,
  toolemu,
  otelGenai,
  agentdojo,
  langchain,
  openaiResponses,
  anthropicMessages,
  openaiChat,
];

/** The format of a value: one conversation, one line of one, or an array of conversations; null where none fits. */
export function detectFormat(value: Json): string | null {
  const one = FORMATS.find((format) => format.claims(value) || format.claimsPiece(value));
  if (one) return one.name;
  const first = isArray(value) ? value[0] : undefined;
  return first === undefined ? null : (FORMATS.find((format) => format.claims(first))?.name ?? null);
}

/** The formats to try: all, or the one that is forced. */
export function formatsFor(file: string, name: string | undefined): readonly Format[] {
  if (name === undefined) return FORMATS;
  const forced = FORMATS.filter((format) => format.name === name);
  if (forced.length > 0) return forced;
  const known = FORMATS.map((format) => format.name).join(', ');
  throw badInput('no-such-format', { file, line: null }, `there is no format ${name} (known: ${known})`, {
    format: name,
  });
}
