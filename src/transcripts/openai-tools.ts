import { DEFAULT_SERVER, type ToolDeclaration } from '../declarations/tool.ts';
import { isArray, isObject, type Json } from '../events/json.ts';

/** The tools that a request declares: `tools` (nested or flat, whatever the schema's key) and the older `functions`. */
export function toolsOf(value: Json): { declared: ToolDeclaration[]; notes: string[] } {
  const declared: ToolDeclaration[] = [];
  const notes: string[] = [];
  if (!isObject(value)) return { declared, notes };
  const tools = isArray(value.tools) ? value.tools : [];
  const functions = isArray(value.functions) ? value.functions : [];
  for (const tool of [...tools, ...functions]) {
    const body = isObject(tool) && isObject(tool.function) ? tool.function : tool;
    if (!isObject(body) || typeof body.name !== 'string' || body.name === '') {
      notes.push('A declared tool without a name was left out.');
      continue;
    }
    declared.push({
      server: DEFAULT_SERVER,
      name: body.name,
      description: typeof body.description === 'string' ? body.description : null,
      input_schema: body.parameters ?? body.input_schema ?? body.inputSchema ?? null,
      annotations: null,
    });
  }
  return { declared, notes };
}
