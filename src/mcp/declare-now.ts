import { digestOf } from '../events/digest.ts';
import { makeEvent } from '../events/index.ts';
import type { ToolDeclaration } from '../events/tool.ts';
import type { Around } from '../preflight/around.ts';
import { again } from '../runs/again.ts';
import { undeclaredYet } from '../runs/held.ts';
import {
  checklistDeclaration,
  type Declaration,
  type MakeEvent,
  toolDeclaration,
} from '../runs/run-events.ts';

/** Records a tool as its server declares it now. */
export function declareTool(around: Around, tool: ToolDeclaration): Promise<void> {
  return declareNow(around, toolDeclaration(tool, digestOf(tool), makerOf(around)));
}

/** Records the checklists that are in force from now on. */
export async function declareChecklists(around: Around): Promise<void> {
  for (const checklist of around.declared.checklists)
    await declareNow(around, checklistDeclaration(checklist, makerOf(around)));
}

/**
 * Appends a declaration where it is not the newest of its stream. An executor takes the newest for what holds: whoever goes back to
 * what was declared before has to say so again. Each conflict means that somebody else declared something.
 */
function declareNow({ log }: Around, declaration: Declaration): Promise<void> {
  return again(async () => {
    const writes = undeclaredYet(log, declaration);
    if (writes.length > 0) await log.append({ writes });
  }, Number.POSITIVE_INFINITY);
}

function makerOf({ newId, clock }: Around): MakeEvent {
  return (type, data) => makeEvent(type, data, { id: newId(), at: clock() });
}
