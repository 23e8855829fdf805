import { readdirSync } from 'node:fs';
import { fixture } from './files.ts';

/** Every sample in fixtures/transcripts: its format, its conversations and its calls. */
export const SAMPLES = [
  { file: 'agentdojo.json', format: 'agentdojo', conversations: 1, calls: 3 },
  { file: 'anthropic-messages.json', format: 'anthropic-messages', conversations: 1, calls: 4 },
  { file: 'claude-code.jsonl', format: 'claude-code', conversations: 1, calls: 3 },
  { file: 'inspect-ai.json', format: 'inspect-ai', conversations: 2, calls: 3 },
  { file: 'langchain-constructors.json', format: 'langchain', conversations: 1, calls: 2 },
  { file: 'langchain-dicts.json', format: 'langchain', conversations: 1, calls: 1 },
  { file: 'langgraph-stream.jsonl', format: 'langchain', conversations: 1, calls: 1 },
  { file: 'mcp-jsonrpc.jsonl', format: 'mcp-jsonrpc', conversations: 1, calls: 3 },
  { file: 'openai-chat.json', format: 'openai-chat', conversations: 1, calls: 3 },
  { file: 'openai-chat.jsonl', format: 'openai-chat', conversations: 2, calls: 2 },
  { file: 'openai-responses.json', format: 'openai-responses', conversations: 1, calls: 5 },
  { file: 'otel-genai-spans.jsonl', format: 'otel-genai', conversations: 1, calls: 2 },
  { file: 'otel-genai.json', format: 'otel-genai', conversations: 1, calls: 2 },
  { file: 'tau-runs.json', format: 'openai-chat', conversations: 2, calls: 4 },
  { file: 'toolemu.jsonl', format: 'toolemu', conversations: 2, calls: 2 },
] as const;

export function filesOfSamples(): string[] {
  return readdirSync(fixture('')).sort();
}
