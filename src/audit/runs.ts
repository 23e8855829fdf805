import type { ToolDeclaration } from '../declarations/tool.ts';
import { digestOf } from '../events/digest.ts';
import { type Driven, drive, isGated, locate, type RunInput } from '../gate/index.ts';
import { type Declared, undeclaredTool } from '../runs/declared.ts';
import { nowOf } from '../runs/now.ts';
import type { Conversation, ConversationCall } from '../transcripts/index.ts';
import { entriesFor } from './entries.ts';

export interface AuditedCall {
  readonly call: ConversationCall;
  readonly gated: boolean;
  readonly run: RunInput;
  /** null for a call that the gate does not stand before. */
  readonly driven: Driven | null;
}

/** Tools that nobody declared get one declaration each, so that rules and digests are made once. */
export interface ToolTable {
  readonly of: (
    conversation: Conversation,
    name: string,
  ) => { readonly tool: ToolDeclaration; readonly digest: string };
}

export function toolTable(declared: Declared): ToolTable {
  type Entry = ReturnType<ToolTable['of']>;
  const undeclared = new Map<string, ToolDeclaration>();
  // Each object is digested once; equal declarations of two conversations are then one object.
  const byTool = new WeakMap<ToolDeclaration, Entry>();
  const byDigest = new Map<string, Entry>();
  return {
    of: (conversation, name) => {
      const own = conversation.tools.find((tool) => tool.name === name);
      const tool = declared.tools.get(name) ?? own ?? undeclared.get(name) ?? undeclaredTool(name);
      let entry = byTool.get(tool);
      if (entry === undefined) {
        const digest = digestOf(tool);
        entry = byDigest.get(digest) ?? { tool, digest };
        byDigest.set(digest, entry);
        byTool.set(tool, entry);
        if (own === undefined && !declared.tools.has(name)) undeclared.set(name, tool);
      }
      return entry;
    },
  };
}

/**
 * What the gate would have found for each call that a conversation already made, in order. The transcript answers every
 * lookup; a conversation is one request, since nothing in a transcript tells where a new one begins (RULES R2).
 */
export function* auditCalls(
  conversation: Conversation,
  declared: Declared,
  tools: ToolTable,
): Generator<AuditedCall, void> {
  const segments = conversation.segments.map(({ segment }) => segment);
  const bodies = declared.checklists.map(({ body }) => body);
  const now = nowOf(bodies, segments);
  for (const call of conversation.calls) {
    const { tool, digest } = tools.of(conversation, call.tool);
    const value = call.arguments.value;
    const run: RunInput = {
      gate: declared.gate,
      ruleset: declared.ruleset,
      phase: 'at_trigger',
      now,
      attempts: { intent: 0, tool: 0 },
      proposal: {
        prepared: value === null ? null : { plain: value },
        received: call.arguments.text === null ? null : { plain: call.arguments.text },
      },
      tool,
      tool_digest: digest,
      checklists: declared.checklists,
      unsound: declared.unsound,
      action_key: 'ok',
      segments: segments.slice(0, call.before),
      request_from: 0,
      entries: entriesFor(conversation, call, digest),
    };
    const gated = isGated(run, value ?? undefined);
    yield { call, gated, run, driven: gated ? drive(run, (request) => locate(run, request)) : null };
  }
}
