import { toolOf } from '../declarations/tools.ts';
import { digestOf } from '../events/digest.ts';
import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import type { ToolDeclaration } from '../events/tool.ts';
import type { Around } from '../preflight/around.ts';
import { declareTool } from './declare-now.ts';
import { withoutMarks } from './exact-message.ts';

/** Asks the server for one page of its tools. */
export type ListPage = (cursor: string | undefined) => Promise<JsonObject>;

/** What a server declares now, as far as it was told. */
export interface ToolList {
  /** null: it declares no such tool. */
  get(name: string): ToolDeclaration | null;
  /** Whether it says what its structured content looks like: a host then takes any other for a broken result. */
  declaresOutput(name: string): boolean;
  /** What the server answered to somebody's `tools/list`. */
  heard(result: JsonObject): Promise<void>;
  /** The server says that its tools changed. */
  changed(): void;
  /** Lists them where that was never done, or where they changed since. @throws what `list` throws */
  upToDate(list: ListPage): Promise<void>;
}

/** More pages than any server has: a cursor that leads in circles is a fault. */
const MOST_PAGES = 1000;

/**
 * Keeps what a server declares, and records each definition: a changed word is another tool. The newest event of a tool's stream
 * is always what the server declares now, also where it goes back to what it once declared. CASE 22.
 */
export function toolList(around: Around, server: () => string): ToolList {
  let tools = new Map<string, ToolDeclaration>();
  let stale = true;
  /** Of what the server said, so that a change during a listing is not lost. */
  let changes = 0;

  const outputs = new Set<string>();
  const read = (result: JsonObject): ToolDeclaration[] => {
    const entries = isArray(result.tools) ? result.tools : [];
    for (const entry of entries) {
      if (!isObject(entry) || typeof entry.name !== 'string') continue;
      if (entry.outputSchema === undefined) outputs.delete(entry.name);
      else outputs.add(entry.name);
    }
    return entries.flatMap((entry) => declared(entry, server()) ?? []);
  };
  const record = async (found: readonly ToolDeclaration[]): Promise<void> => {
    for (const tool of found) await declareTool(around, tool);
  };

  return {
    get: (name) => tools.get(name) ?? null,
    declaresOutput: (name) => outputs.has(name),
    async heard(result) {
      const found = read(result);
      await record(found);
      for (const tool of found) tools.set(tool.name, tool);
    },
    changed() {
      stale = true;
      changes++;
    },
    async upToDate(list) {
      while (stale) {
        const before = changes;
        const found = new Map<string, ToolDeclaration>();
        let cursor: string | undefined;
        for (let page = 0; page < MOST_PAGES; page++) {
          const result = await list(cursor);
          for (const tool of read(result)) found.set(tool.name, tool);
          if (typeof result.nextCursor !== 'string' || result.nextCursor === '') break;
          cursor = result.nextCursor;
        }
        await record([...found.values()]);
        tools = found;
        if (changes === before) stale = false;
      }
    },
  };
}

/** A definition that can't be stored as it came is declared with what can be kept, and without a schema: it is then repaired, not run. */
function declared(entry: Json, server: string): ToolDeclaration | null {
  const tool = isObject(entry) ? toolOf(withoutMarks(entry) as JsonObject, server) : null;
  if (tool === null) return null;
  try {
    digestOf(tool);
    return tool;
  } catch {
    return { server, name: wellFormed(tool.name), description: null, input_schema: null, annotations: null };
  }
}

function wellFormed(text: string): string {
  return (text as string & { toWellFormed(): string }).toWellFormed();
}
