import type { z } from 'zod';
import { parseChecklist } from '../checklist-files.ts';
import type { ToolDeclaration } from '../declarations/tool.ts';
import { DEFAULT_SERVER } from '../declarations/tool.ts';
import { toolOf } from '../declarations/tools.ts';
import { GroundsError } from '../errors.ts';
import type { Json, JsonObject } from '../events/json.ts';
import type { Segment } from '../events/segment.ts';
import type { Entry, RunInput } from '../gate/index.ts';
import { badInput, notExact, quoted } from '../transcripts/bad-input.ts';
import { argumentsAt } from '../transcripts/call-arguments.ts';
import type { CallArguments, Origin } from '../transcripts/conversation.ts';
import { tellMessages } from '../transcripts/openai-messages.ts';
import type { Received } from '../transcripts/received.ts';
import { structure } from '../transcripts/structured.ts';
import { telling } from '../transcripts/telling.ts';
import { CheckRequest, type SegmentInput } from './check-request.ts';
import { shapeFaults } from './shape-faults.ts';

export interface PlacedSegment {
  readonly segment: Segment;
  readonly message: number;
  readonly part: number | null;
}

/** A request as it will be judged. */
export interface ReadRequest {
  readonly id: string | null;
  readonly conversation_id: string | null;
  readonly segments: readonly PlacedSegment[];
  /** A name, where the request brings no definition. */
  readonly tool: string | ToolDeclaration;
  readonly arguments: CallArguments;
  readonly checklists: RunInput['checklists'];
  readonly entries: readonly Entry[];
  readonly now: string | null;
  readonly phase: RunInput['phase'];
  /** What the form of its conversation could not tell. */
  readonly notes: readonly string[];
}

/**
 * Reads one request. What can't be kept exactly within the arguments is the call's own fault, and gets its verdict; elsewhere
 * it is refused.
 *
 * @throws GroundsError `check/shape` (facts: file, line, pointer), `transcript/…`, `checklist/invalid`
 */
export function readRequest(received: Received, origin: Origin): ReadRequest {
  const outside = received.faults.find(({ pointer }) => !/^\/arguments(\/|$)/.test(pointer));
  if (outside !== undefined) throw notExact(outside, origin);
  const parsed = CheckRequest.safeParse(received.value);
  if (!parsed.success) throw wrong(parsed.error.issues, received.value, origin);
  const request = parsed.data;
  // What goes into the log is what came: parsing checks it and fills in defaults, no more.
  const given = received.value as JsonObject;
  return {
    id: request.id ?? null,
    conversation_id: request.conversation_id ?? null,
    ...conversationOf(request, given, received, origin),
    tool: typeof request.tool === 'string' ? request.tool : toolIn(given.tool as JsonObject, origin),
    arguments: argumentsAt(received, '/arguments', given.arguments),
    checklists: (request.checklists ?? []).map((_, index) => {
      const text = JSON.stringify((given.checklists as readonly Json[])[index]);
      const { checklist, digest } = parseChecklist(
        text,
        `${origin.file}:${origin.line}#checklists[${index}].json`,
      );
      return { digest, body: checklist };
    }),
    entries: entriesOf(request),
    now: request.now ?? null,
    phase: request.phase ?? 'at_trigger',
  };
}

function conversationOf(
  { conversation }: CheckRequest,
  given: JsonObject,
  received: Received,
  origin: Origin,
): Pick<ReadRequest, 'segments' | 'notes'> {
  if ('segments' in conversation) {
    const bodies = (given.conversation as { segments: readonly JsonObject[] }).segments;
    const segments = conversation.segments.map((segment, message) => ({
      segment: segmentOf(segment, bodies[message] as JsonObject),
      message,
      part: null,
    }));
    return { segments, notes: [] };
  }
  const [messages, pointer] = Array.isArray(given.conversation)
    ? [given.conversation as readonly Json[], '/conversation']
    : [(given.conversation as { messages: readonly Json[] }).messages, '/conversation/messages'];
  const tale = telling({ format: 'openai-chat', typed: 'assumed', onePrompt: false });
  tellMessages(tale, received, { messages, pointer }, origin);
  const { segments, notes } = tale.finish(origin, null);
  return { segments, notes };
}

function segmentOf(input: SegmentInput, given: JsonObject): Segment {
  const { observes } = input;
  const { body } = given;
  const read = observes !== null && typeof body === 'string' ? structure(body) : null;
  return {
    at: input.at,
    author: input.author,
    typed: input.typed,
    origin: input.origin,
    body: { plain: read !== null && 'value' in read ? read.value : (body as Json) },
    observes:
      observes === null
        ? null
        : {
            tool: observes.tool,
            arguments: { plain: (given.observes as { arguments: Json }).arguments },
            failed: observes.failed,
            fault: read !== null && 'fault' in read ? read.fault : null,
          },
  };
}

function toolIn(given: JsonObject, origin: Origin): ToolDeclaration {
  const tool = toolOf(given, DEFAULT_SERVER);
  if (tool !== null) return tool;
  throw shape('/tool', 'is no tool definition (a name of text, and a schema that is an object)', origin);
}

/** What a caller says of the user is marked so; what the log itself holds is not this command's to bring. */
function entriesOf({ answers, settings, trigger }: CheckRequest): Entry[] {
  return [
    ...(trigger === undefined ? [] : [{ kind: 'trigger' as const, timing: trigger }]),
    ...(settings ?? []).map((setting) => ({
      kind: 'setting' as const,
      name: setting.name,
      value: { plain: 'value' in setting ? (setting.value as Json) : null },
      none: 'none' in setting,
      attested_by: 'caller' as const,
    })),
    ...(answers ?? []).map((answer) => ({
      kind: 'answer' as const,
      slot: answer.slot,
      value: { plain: 'value' in answer ? (answer.value as Json) : null },
      none: 'none' in answer,
      candidate: null,
    })),
  ];
}

/** All that is wrong, so that a request is corrected once. */
function wrong(issues: readonly z.core.$ZodIssue[], given: Json, origin: Origin): GroundsError {
  const [first, ...rest] = shapeFaults(issues, given);
  const what = [
    first?.says ?? 'is not as it should be',
    ...rest.map(({ pointer, says }) => `${placed(pointer)} ${says}`),
  ];
  return shape(first?.pointer ?? '', what.join('; '), origin);
}

function placed(pointer: string): string {
  return pointer === '' ? 'the request' : quoted(pointer);
}

function shape(pointer: string, what: string, { file, line }: Origin): GroundsError {
  return new GroundsError('check/shape', `${file}, line ${line}: ${placed(pointer)} ${what}.`, {
    facts: { file, line, pointer },
    hint: 'Compare it with the published schema: grounds schema check-request.',
  });
}

/** Text that is no JSON: who wrote a request is no recorder, and has it at hand. */
export function notJson(error: GroundsError): GroundsError {
  if (error.code !== 'transcript/not-json') return error;
  const { code, message, facts } = error;
  return new GroundsError(code, message, {
    facts,
    hint: 'A request is one JSON object, or one object a line. Write it with a JSON library and not by hand: quotes and line ends within text are escaped then. Its shape: grounds schema check-request.',
  });
}

/** Something between the lines is wrong: the file, the line, and what. */
export function requestFault(
  code: 'empty' | 'line-too-long',
  origin: { file: string; line: number | null },
): GroundsError {
  return code === 'empty'
    ? badInput('empty', origin, 'it holds no request')
    : badInput('line-too-long', origin, 'the request has more than 32 MiB');
}
