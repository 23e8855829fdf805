import { type CompileFault, type CompileFaultCode, type Expr, MAX_DEPTH, MAX_NODES } from './expr.ts';
import { type Parsed, parseExpression } from './parse.ts';

/** A checked expression with its definitions written out. Frozen; its identity may serve as a memo's key. */
export interface Compiled {
  readonly source: string;
  readonly expr: Expr;
}

/** Names that the gate itself gives a meaning; a definition may not take them. */
const GIVEN = ['args', 'now', 'item', 'index'];

/** How many sources are remembered; then the memo starts anew. */
const MEMO_SIZE = 500;
const parsed = new Map<string, Parsed>();

/**
 * Checks an expression against RULES' CEL profile and writes out its named definitions where their names stand free.
 * A cycle of definitions is a fault; so is a definition whose own free name a macro around its use has bound, and one
 * that takes a given name. Pure: what it remembers depends on the source alone. Never throws.
 */
export function compile(
  source: string,
  defines: Readonly<Record<string, string>>,
): Compiled | { readonly fault: CompileFault } {
  const state: State = { defines, nodes: 0, open: [] };
  const root = parseOnce(source);
  if ('fault' in root) return faultOf({ ...root.fault, definition: null });
  try {
    const expr = inline(root.expr, [], state, 0);
    return Object.freeze({ source, expr });
  } catch (error) {
    if (error instanceof Refusal) return faultOf(error.fault ?? whole(error.code, source));
    throw error;
  }
}

interface State {
  readonly defines: Readonly<Record<string, string>>;
  nodes: number;
  /** Definitions being written out, each with the names that macros had bound where it is used. */
  readonly open: { readonly name: string; readonly bound: readonly string[] }[];
}

class Refusal {
  readonly code: CompileFaultCode;
  readonly fault: CompileFault | null;
  constructor(code: CompileFaultCode, fault: CompileFault | null) {
    this.code = code;
    this.fault = fault;
  }
}

function parseOnce(source: string): Parsed {
  const known = parsed.get(source);
  if (known !== undefined) return known;
  const fresh = parseExpression(source);
  if (parsed.size >= MEMO_SIZE) parsed.clear();
  parsed.set(source, fresh);
  return fresh;
}

function inline(expr: Expr, bound: readonly string[], state: State, depth: number): Expr {
  state.nodes++;
  if (state.nodes > MAX_NODES) throw new Refusal('too_many_nodes', null);
  if (depth > MAX_DEPTH) throw new Refusal('too_deep', null);
  const sub = (child: Expr): Expr => inline(child, bound, state, depth + 1);
  switch (expr.kind) {
    case 'literal':
      return expr;
    case 'name':
      return bound.includes(expr.name) ? expr : free(expr, bound, state, depth);
    case 'select':
    case 'has':
    case 'unary':
      return Object.freeze({ ...expr, of: sub(expr.of) });
    case 'index':
      return Object.freeze({ ...expr, of: sub(expr.of), key: sub(expr.key) });
    case 'list':
      return Object.freeze({ ...expr, items: Object.freeze(expr.items.map(sub)) });
    case 'map': {
      const entries = expr.entries.map(([key, value]) => Object.freeze([sub(key), sub(value)] as const));
      return Object.freeze({ ...expr, entries: Object.freeze(entries) });
    }
    case 'logic':
    case 'binary':
      return Object.freeze({ ...expr, left: sub(expr.left), right: sub(expr.right) });
    case 'choose':
      return Object.freeze({
        ...expr,
        test: sub(expr.test),
        yes: sub(expr.yes),
        no: sub(expr.no),
      });
    case 'macro': {
      const body = inline(expr.body, [...bound, expr.name], state, depth + 1);
      return Object.freeze({ ...expr, over: sub(expr.over), body });
    }
    case 'call':
      return Object.freeze({ ...expr, args: Object.freeze(expr.args.map(sub)) });
  }
}

/** A name that no macro of this source binds: a definition, or one that the scope will have to give. */
function free(name: Expr & { kind: 'name' }, bound: readonly string[], state: State, depth: number): Expr {
  const source = Object.hasOwn(state.defines, name.name) ? state.defines[name.name] : undefined;
  if (source === undefined) {
    // Free in a definition, yet bound around its use: written out there, the name would change its meaning.
    const captor = state.open.find((use) => use.bound.includes(name.name));
    if (captor !== undefined) throw inDefinition('definition_captures', captor.name, state);
    return name;
  }
  if (GIVEN.includes(name.name)) throw inDefinition('definition_name', name.name, state);
  if (state.open.some((use) => use.name === name.name))
    throw inDefinition('definition_cycle', name.name, state);
  const body = parseOnce(source);
  if ('fault' in body) throw new Refusal(body.fault.code, { ...body.fault, definition: name.name });
  state.nodes--;
  state.open.push({ name: name.name, bound });
  const written = inline(body.expr, [], state, depth);
  state.open.pop();
  return written;
}

function inDefinition(code: CompileFaultCode, name: string, state: State): Refusal {
  const source = state.defines[name] ?? '';
  return new Refusal(code, { code, start: 0, end: source.length, text: source, definition: name });
}

function whole(code: CompileFaultCode, source: string): CompileFault {
  return { code, start: 0, end: source.length, text: source, definition: null };
}

function faultOf(fault: CompileFault): { readonly fault: CompileFault } {
  return Object.freeze({ fault: Object.freeze(fault) });
}
