import { toolOf } from '../declarations/tools.ts';
import { GroundsError } from '../errors.ts';
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
  /** The number of a `tools/list` that is about to be sent: which of two listings is the newer one goes by it. */
  asked(): number;
  /** What the server answered to somebody's `tools/list`, with the number that was given to it. */
  heard(result: JsonObject, asked: number): Promise<void>;
  /** The server says that its tools changed. */
  changed(): void;
  /**
   * Lists them where that was never done, or where they changed since.
   * @throws what `list` throws; GroundsError `mcp/tools-unsettled` where they change with each listing
   */
  upToDate(list: ListPage): Promise<void>;
}

/** More pages than any server has: a cursor that leads in circles is a fault. */
const MOST_PAGES = 1000;
/** A server that announces a change with each list would keep a call for ever. */
const MOST_LISTINGS = 8;

/**
 * Keeps what a server declares, and records each definition: a changed word is another tool. The newest event of a tool's stream
 * is always what the server declares now, also where it goes back to what it once declared. CASE 22.
 */
export function toolList(around: Around, server: () => string): ToolList {
  let tools = new Map<string, Listed>();
  let stale = true;
  /** Of what the server said, so that a change during a listing is not lost. */
  let changes = 0;
  let asked = 0;
  let newest = 0;
  let turn: Promise<void> = Promise.resolve();

  const changed = (): void => {
    stale = true;
    changes++;
  };
  const read = (result: JsonObject): [string, Listed][] =>
    (isArray(result.tools) ? result.tools : []).flatMap((entry) => {
      const tool = declared(entry, server());
      const output = isObject(entry) && entry.outputSchema !== undefined;
      return tool === null ? [] : [[tool.name, { tool, output }]];
    });
  /** One listing after the other. Where a later one came first, only another can tell which of the two holds. */
  const record = (found: ReadonlyMap<string, Listed>, number: number, whole: boolean): Promise<void> => {
    const mine = turn.then(async () => {
      if (number < newest) return changed();
      newest = number;
      for (const { tool } of found.values()) await declareTool(around, tool);
      tools = new Map([...(whole ? [] : tools), ...found]);
    });
    turn = mine.catch(() => {});
    return mine;
  };

  return {
    get: (name) => tools.get(name)?.tool ?? null,
    declaresOutput: (name) => tools.get(name)?.output ?? false,
    asked: () => ++asked,
    heard: (result, number) => record(new Map(read(result)), number, false),
    changed,
    async upToDate(list) {
      for (let listing = 0; stale; listing++) {
        if (listing === MOST_LISTINGS) throw unsettled(server());
        const before = changes;
        const number = ++asked;
        const found = new Map<string, Listed>();
        let cursor: string | undefined;
        for (let page = 0; page < MOST_PAGES; page++) {
          const result = await list(cursor);
          for (const [name, each] of read(result)) found.set(name, each);
          if (typeof result.nextCursor !== 'string' || result.nextCursor === '') break;
          cursor = result.nextCursor;
        }
        await record(found, number, true);
        if (changes === before) stale = false;
      }
    },
  };
}

/** A definition, and whether it says what the structured content looks like. */
interface Listed {
  readonly tool: ToolDeclaration;
  readonly output: boolean;
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

function unsettled(server: string): GroundsError {
  return new GroundsError(
    'mcp/tools-unsettled',
    `The server said ${MOST_LISTINGS} times in a row that its tools changed while it listed them, so nothing was done.`,
    {
      facts: { server },
      hint: 'A call is judged by the definition of its tool. Propose it again once the server’s tools stay as they are.',
    },
  );
}

function wellFormed(text: string): string {
  return (text as string & { toWellFormed(): string }).toWellFormed();
}
