import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skeletonRecordJsonSchema } from '../../compat/skeleton-record.ts';
import { checklistJsonSchema } from '../../declarations/schema.ts';
import { GroundsError } from '../../errors.ts';
import { publishedSchemas } from '../../events/index.ts';
import { explanationSchema } from '../../explain/schema.ts';
import { contextSchema } from '../../mcp/context.ts';
import { questionJsonSchema, replyJsonSchema, settingLineJsonSchema } from '../asked-schema.ts';
import { checkRequestJsonSchema } from '../check-request.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { lineJsonSchemas } from '../line-schemas.ts';
import { usage } from '../report-error.ts';
import { callRowJsonSchema } from '../row-schema.ts';

/** Prints one of the published schemas, or their names; or writes all of them into a folder. `--json`: one object a line. */
export function schema(
  io: Io,
  name: string | undefined,
  options: { readonly write?: string; readonly json?: boolean },
): void {
  const all = schemas();
  if (options.write !== undefined) {
    writeAll(options.write, all);
    return;
  }
  if (name === undefined) {
    for (const known of all.keys())
      io.out(options.json === true ? `${jsonText({ name: known })}\n` : `${known}\n`);
    return;
  }
  const found = all.get(name);
  if (found === undefined) throw usage(`There is no schema ${name}.`, 'grounds schema lists their names.');
  io.out(`${JSON.stringify(found, null, options.json === true ? 0 : 2)}\n`);
}

/** @throws GroundsError `cli/usage` where that is no folder, `cli/output` where it can't be written */
function writeAll(folder: string, all: ReadonlyMap<string, unknown>): void {
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, body] of all) {
      writeFileSync(join(folder, `${name}.schema.json`), `${JSON.stringify(body, null, 2)}\n`);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code === 'EEXIST' || code === 'ENOTDIR') {
      throw usage(
        `${folder} is not a folder.`,
        'Name a folder after --write; it is made where it is missing.',
        {
          folder,
        },
      );
    }
    throw new GroundsError('cli/output', `The schemas could not be written to ${folder} (${code}).`, {
      facts: { folder, errno: code },
      hint: 'Name a folder that can be written, with room in it.',
    });
  }
}

function schemas(): Map<string, unknown> {
  const events = Object.entries(publishedSchemas()).map(([type, body]): [string, unknown] => [
    `event-${type.replace(/(?<!^)[A-Z]/g, '-$&').toLowerCase()}`,
    body,
  ]);
  return new Map<string, unknown>([
    ['checklist', checklistJsonSchema()],
    ['check-request', checkRequestJsonSchema()],
    ['mcp-context', contextSchema()],
    ['call-row', callRowJsonSchema()],
    ['question', questionJsonSchema()],
    ['reply', replyJsonSchema()],
    ['setting-line', settingLineJsonSchema()],
    ['why', explanationSchema()],
    ['skeleton-record', skeletonRecordJsonSchema()],
    ...lineJsonSchemas(),
    ...events,
  ]);
}
