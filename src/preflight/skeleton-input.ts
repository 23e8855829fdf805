import type { SkeletonRecord } from '../compat/index.ts';
import { DEFAULT_SERVER } from '../declarations/tool.ts';
import { GroundsError } from '../errors.ts';
import { encode } from '../events/canonical.ts';
import { isObject, type Json } from '../events/json.ts';
import type { Segment } from '../events/segment.ts';
import type { ToolDeclaration } from '../events/tool.ts';
import type { AskedQuestion } from './waiting.ts';

/** One piece of the instruction, as the source documents write it. Only `trust: 'user'` was typed by the user. */
export interface TrustedSegment {
  readonly text: string;
  readonly trust: string;
  readonly origin?: string | null;
}

/** An MCP tool, as `tools/list` gives it. */
export interface McpTool {
  readonly name: string;
  readonly description?: string | null;
  readonly inputSchema?: unknown;
  readonly annotations?: unknown;
  /** The server that it is of, where there are several. */
  readonly server?: string;
}

/** Where a record stands in the log. Given back with the next input, it is the same call that goes on. */
export interface Standing {
  readonly conversation: string;
  readonly request: string;
  readonly call: string;
  readonly run: string;
}

/** The input of the source documents' `runPreflightAndRecord`. */
export interface SkeletonInput {
  readonly userId: string;
  /** A bare text has no trust labels: it confirms nothing. */
  readonly instruction: string | readonly TrustedSegment[];
  readonly mcpTool: McpTool;
  /** What the agent proposes, where it does: every value of it then needs a source. */
  readonly arguments?: Json;
  /** Settled earlier, by field; null: settled that there is none. Recorded as attested by the caller. */
  readonly preSetData?: Readonly<Record<string, Json>> | null;
  /** Given to `measureFromEnvironment`, and read by nobody else. */
  readonly measured_data?: Json;
  /** What the caller takes for the last execution: it must be what the log holds. */
  readonly priorExecutionState?: unknown;
  readonly userChecklist?: readonly Json[] | null;
  /** By field; null: the user said that there is none. */
  readonly userAnswers?: Readonly<Record<string, Json>> | null;
  /** By the id of a question (`grounds.questions` of a record): a yes to all that it shows, or a no. */
  readonly userApprovals?: Readonly<Record<string, boolean>> | null;
  /** `at_trigger`, with `grounds` of a deferred record: its trigger fired. Else the log knows. */
  readonly phase?: 'at_instruction' | 'at_trigger';
  /** The log counts; these say that it is the same request that goes on, and that what was asked before was replied to. */
  readonly intent_attempt?: number | null;
  readonly tool_attempt?: number | null;
  /** Never read: it would be a switch to go round the match. */
  readonly tool_reselected_by_user?: unknown;
  /** `grounds` of the record before, to go on with the same call. */
  readonly grounds?: Standing;
}

/** The skeleton's record (schema 1.8), where it stands in the log, and what waits for the user. */
export type SkeletonState = SkeletonRecord & {
  readonly grounds: Standing & {
    readonly verdict_digest: string;
    /** To be shown as they are, and answered by field (`userAnswers`), by question (`userApprovals`), or as `answer` and `approve` do. */
    readonly questions: readonly AskedQuestion[];
  };
};

export function toolOf(mcpTool: McpTool): ToolDeclaration {
  const { name, description, inputSchema, annotations, server } = mcpTool;
  if (typeof name !== 'string' || name === '') throw misfit('mcpTool.name', 'a name');
  return {
    server: server ?? DEFAULT_SERVER,
    name,
    description: description ?? null,
    input_schema: jsonOf('mcpTool.inputSchema', inputSchema ?? null),
    annotations: jsonOf('mcpTool.annotations', annotations ?? null),
  };
}

function jsonOf(what: string, value: unknown): Json {
  try {
    return JSON.parse(encode(value)) as Json;
  } catch {
    throw misfit(what, 'JSON');
  }
}

export function misfit(what: string, wanted: string): GroundsError {
  return new GroundsError('preflight/input', `${what} is not ${wanted}.`, {
    facts: { what },
    hint: 'docs/preflight.md has a complete example of the input.',
  });
}

/** A text without labels is kept as it came, and nobody typed it. */
export function instructionOf(instruction: SkeletonInput['instruction']): {
  readonly segments: readonly Segment[];
  readonly unlabelled: boolean;
} {
  if (typeof instruction === 'string')
    return { segments: [pieceOf({ text: instruction, trust: 'none' })], unlabelled: true };
  if (!Array.isArray(instruction)) throw misfit('instruction', 'a list of segments with trust labels');
  return { segments: instruction.map(pieceOf), unlabelled: false };
}

function pieceOf(piece: TrustedSegment): Segment {
  if (!isObject(piece as unknown as Json) || typeof piece.text !== 'string')
    throw misfit('instruction', 'a list of segments with a text and a trust label each');
  const typed = piece.trust === 'user';
  return {
    at: null,
    author: typed ? 'user' : piece.trust === 'agent' ? 'agent' : 'third_party',
    typed,
    origin: typeof piece.origin === 'string' ? piece.origin : null,
    body: { plain: piece.text },
    observes: null,
  };
}
