import { GroundsError } from '../errors.ts';
import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import { type LocatedValue, readLocated } from './located-value.ts';
import { inFileOrder, type LocatedProblem, renderProblems } from './problem.ts';
import { readTextFile } from './read-file.ts';
import type { ToolDeclaration } from './tool.ts';

export interface ToolDefinitions {
  readonly server: string;
  readonly tools: readonly ToolDeclaration[];
  /** Entries that are no tool with arguments (a provider's hosted search, for example), by their type. */
  readonly left_out: readonly { readonly index: number; readonly type: string }[];
}

export interface ToolOptions {
  /** Stands for the server's name where the file gives none, or another than is wanted. */
  readonly server?: string;
}

const LIMITS = { units: 20_000_000, values: 500_000 };
/** The server of tools that come without one: OpenAI and Anthropic tool arrays. */
const NO_SERVER = 'local';

/**
 * Reads a file of tool definitions: an MCP `tools/list` result (bare, in its JSON-RPC response, or beside
 * `serverInfo`), or an OpenAI or Anthropic tools array (bare, or as `tools` of a request).
 * @throws GroundsError `tools/invalid`, `file/unreadable`, `file/not_utf8`.
 */
export function loadToolsFile(path: string, options: ToolOptions = {}): ToolDefinitions {
  return parseTools(readTextFile(path), path, options);
}

/**
 * Reads the text of such a file, JSON or YAML by its name.
 * @throws GroundsError `tools/invalid` (exit 2): `facts.problems` holds `{file, line, column, path, code, message, hint}`.
 */
export function parseTools(text: string, fileName: string, options: ToolOptions = {}): ToolDefinitions {
  const read = readLocated(text, fileName, LIMITS);
  if (read.value === undefined) throw invalid(fileName, read.problems);
  const problems: LocatedProblem[] = [];
  const found = listIn(read.value);
  if (found === null) {
    const message = 'There is no list of tools in this file.';
    const hint = 'Give an MCP tools/list result ({"tools": [...]}), or an OpenAI or Anthropic tools array.';
    problems.push(located(fileName, read, '', 'tools/no_list', message, hint));
    throw invalid(fileName, problems);
  }
  const server = options.server ?? found.server ?? NO_SERVER;
  const tools: ToolDeclaration[] = [];
  const leftOut: { index: number; type: string }[] = [];
  const firstAt = new Map<string, number>();
  found.entries.forEach((entry, index) => {
    const path = `${found.path}/${index}`;
    const tool = isObject(entry) ? toolOf(entry, server) : null;
    if (tool === null) {
      const type = isObject(entry) && typeof entry.type === 'string' ? entry.type : null;
      if (type !== null && type !== 'function') {
        leftOut.push({ index, type });
        return;
      }
      const hint = 'A tool has a name of text, and a schema that is a mapping.';
      problems.push(located(fileName, read, path, 'tools/form', 'This is no tool definition.', hint));
      return;
    }
    const first = firstAt.get(tool.name);
    if (first !== undefined) {
      const message = `The tool "${tool.name}" stands here twice, first as number ${first + 1}.`;
      const hint = 'Keep one: a call names only the tool.';
      problems.push(located(fileName, read, path, 'tools/twice', message, hint));
    }
    firstAt.set(tool.name, index);
    tools.push(tool);
  });
  if (problems.length > 0) throw invalid(fileName, problems);
  return { server, tools, left_out: leftOut };
}

/** A tool definition in any of the three forms, or null where it is none. */
export function toolOf(entry: JsonObject, server: string): ToolDeclaration | null {
  const body = entry.type === 'function' && isObject(entry.function) ? entry.function : entry;
  const { name, description, annotations } = body;
  const schema = body.inputSchema ?? body.input_schema ?? body.parameters ?? null;
  const hosted = typeof entry.type === 'string' && entry.type !== 'function' && entry.type !== 'custom';
  if (typeof name !== 'string' || name === '' || (hosted && schema === null)) return null;
  if (schema !== null && !isObject(schema)) return null;
  return {
    server,
    name,
    description: typeof description === 'string' ? description : null,
    input_schema: schema,
    annotations: isObject(annotations) ? annotations : null,
  };
}

function listIn(value: Json): { entries: readonly Json[]; path: string; server?: string } | null {
  if (isArray(value)) return { entries: value, path: '' };
  if (!isObject(value)) return null;
  if (isArray(value.tools)) {
    const info = value.serverInfo;
    const named = isObject(info) && typeof info.name === 'string' && info.name !== '';
    return { entries: value.tools, path: '/tools', ...(named ? { server: String(info.name) } : {}) };
  }
  if (isObject(value.result) && isArray(value.result.tools)) {
    return { entries: value.result.tools, path: '/result/tools' };
  }
  return null;
}

function located(
  file: string,
  read: LocatedValue,
  path: string,
  code: string,
  message: string,
  hint: string,
): LocatedProblem {
  return { file, ...read.where(path, 'value'), path, code, message, hint };
}

function invalid(file: string, found: readonly LocatedProblem[]): GroundsError {
  const problems = inFileOrder(found);
  return new GroundsError(
    'tools/invalid',
    `${file} holds no usable tool definitions\n\n${renderProblems(problems)}`,
    {
      facts: { file, problems },
      hint: 'Correct these, or export the definitions again with tools/list.',
      exit: 2,
    },
  );
}
