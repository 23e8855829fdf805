import type { Checklist } from '../declarations/checklist.ts';
import { DEFAULT_SERVER, type ToolDeclaration } from '../declarations/tool.ts';
import type { RunInput } from '../gate/index.ts';

/** What a driver's runs are judged by. */
export interface Declared {
  readonly checklists: readonly { readonly digest: string; readonly body: Checklist }[];
  readonly unsound: RunInput['unsound'];
  /** Tools by name, as their provider declared them. */
  readonly tools: ReadonlyMap<string, ToolDeclaration>;
  readonly gate: string;
  readonly ruleset: RunInput['ruleset'];
}

/** What is known of a tool that nobody declared. */
export function undeclaredTool(name: string): ToolDeclaration {
  return { server: DEFAULT_SERVER, name, description: null, input_schema: null, annotations: null };
}
