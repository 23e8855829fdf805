import { isGroundsError } from '../errors.ts';
import { digestOf } from '../events/digest.ts';
import { makeEvent, streamOf } from '../events/index.ts';
import type { ToolDeclaration } from '../events/tool.ts';
import type { Around } from '../preflight/around.ts';
import type { Declaration } from '../runs/run-events.ts';

/** Records a tool as its server declares it now. */
export function declareTool(around: Around, tool: ToolDeclaration): Promise<void> {
  const digest = digestOf(tool);
  return declareNow(around, {
    stream: streamOf.tool(tool.server, tool.name),
    digest,
    event: () => makeEvent('ToolDeclared', { digest, tool }, { id: around.newId(), at: around.clock() }),
  });
}

/** Records the checklists that are in force from now on. */
export async function declareChecklists(around: Around): Promise<void> {
  for (const { digest, body } of around.declared.checklists) {
    const { declared_by, written_by = null } = body;
    await declareNow(around, {
      stream: streamOf.checklist(declared_by, body.checklist),
      digest,
      event: () =>
        makeEvent(
          'ChecklistDeclared',
          { digest, declared_by, written_by, place: null, body: body as never },
          { id: around.newId(), at: around.clock() },
        ),
    });
  }
}

/**
 * Appends a declaration where it is not the newest of its stream. An executor takes the newest for what holds: whoever goes back to
 * what was declared before has to say so again.
 */
async function declareNow({ log }: Around, { stream, digest, event }: Declaration): Promise<void> {
  for (;;) {
    let version = 0;
    let newest: string | null = null;
    for (const page of log.readSync({ stream, direction: 'backward', limit: 1 })) {
      for (const row of page) {
        version = row.version + 1;
        newest = (row.event.data as { digest: string }).digest;
      }
    }
    if (newest === digest) return;
    try {
      await log.append({
        writes: [{ stream, expected: version === 0 ? 'none' : version, events: [event()] }],
      });
      return;
    } catch (error) {
      if (!isGroundsError(error) || error.code !== 'log/conflict') throw error;
    }
  }
}
