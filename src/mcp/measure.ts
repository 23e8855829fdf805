import type { Checklist } from '../declarations/checklist.ts';
import type { Json, JsonObject } from '../events/json.ts';
import { resultSegment } from '../executor/result-segment.ts';
import type { Around } from '../preflight/around.ts';
import { say } from '../preflight/conversation.ts';
import { resultBody } from './result-body.ts';

/** Whether a fact of the system's checklists is measured by this tool, or goes stale with it. */
export function isObserved(checklists: readonly { readonly body: Checklist }[], tool: string): boolean {
  return checklists.some(
    ({ body }) =>
      body.declared_by === 'system' &&
      Object.values(body.facts).some(
        ({ measured_by, stale_after }) =>
          measured_by.some((each) => each.tool === tool) ||
          stale_after.some(({ tools }) => tools.includes(tool)),
      ),
  );
}

/** Records what a call outside the gate answered, so that a fact can be read there. An error measures nothing; it is kept. */
export async function recordMeasurement(
  around: Around,
  conversation: string,
  called: { readonly tool: string; readonly arguments: Json; readonly result: JsonObject },
): Promise<void> {
  const { tool, arguments: args, result } = called;
  const segment = resultSegment(resultBody(result), {
    author: 'tool',
    tool,
    arguments: args,
    failed: result.isError === true,
    at: around.clock(),
  });
  await say(around, conversation, [segment]);
}
