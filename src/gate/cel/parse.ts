import { type ASTNode, parse as parseCel } from '@marcbachmann/cel-js';
import { decimalOfInteger, digitsOf, MAX_DIGITS, parseDecimal } from '../decimal.ts';
import {
  BINARY,
  type BinaryOperator,
  type CompileFaultCode,
  type Expr,
  FUNCTIONS,
  type FunctionName,
  MACROS,
  MAX_DEPTH,
  MAX_NODES,
  MAX_SOURCE,
  type Macro,
} from './expr.ts';

/** A fault without the definition that it stands in: the parser reads one source at a time. */
export interface ParseFault {
  readonly code: CompileFaultCode;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type Parsed = { readonly expr: Expr; readonly nodes: number } | { readonly fault: ParseFault };

/** The parser recurses once for each of these in a row, without a limit of its own. */
const UNARY_RUN = /(?:[!-]\s*){100}/;

class Refusal {
  readonly code: CompileFaultCode;
  readonly start: number;
  readonly end: number;
  constructor(code: CompileFaultCode, start: number, end: number) {
    this.code = code;
    this.start = start;
    this.end = end;
  }
}

/**
 * Reads one expression of RULES' CEL profile. The library parses; its tree is then walked against the list of what the
 * profile knows, and becomes our own frozen tree. Anything else is refused with its place. Never throws, never hangs.
 */
export function parseExpression(source: string): Parsed {
  if (source.length > MAX_SOURCE) return refused(source, new Refusal('too_long', MAX_SOURCE, source.length));
  const run = UNARY_RUN.exec(source);
  if (run !== null)
    return refused(source, new Refusal('too_deep', run.index, run.index + (run[0] ?? '').length));
  let ast: ASTNode;
  try {
    ast = parseCel(source).ast;
  } catch (error) {
    return refused(source, syntaxRefusal(error, source));
  }
  const walk: Walk = { source, nodes: 0 };
  try {
    return Object.freeze({ expr: convert(ast, walk, 0), nodes: walk.nodes });
  } catch (error) {
    if (error instanceof Refusal) return refused(source, error);
    throw error;
  }
}

interface Walk {
  readonly source: string;
  nodes: number;
}

function refused(source: string, refusal: Refusal): Parsed {
  const { code, start, end } = refusal;
  return Object.freeze({ fault: Object.freeze({ code, start, end, text: source.slice(start, end) }) });
}

/** The library's error says where; what it says is not ours to repeat. */
function syntaxRefusal(error: unknown, source: string): Refusal {
  const range = typeof error === 'object' && error !== null && 'range' in error ? error.range : undefined;
  if (typeof range !== 'object' || range === null || !('start' in range) || !('end' in range))
    return new Refusal('syntax', 0, source.length);
  const start = clamp(range.start, source.length, 0);
  return new Refusal('syntax', start, clamp(range.end, source.length, start));
}

function clamp(value: unknown, most: number, least: number): number {
  if (typeof value !== 'number' || !(value >= least)) return least;
  return value > most ? most : value;
}

function refuse(code: CompileFaultCode, node: ASTNode): never {
  throw new Refusal(code, node.start, node.end);
}

function convert(node: ASTNode, walk: Walk, depth: number): Expr {
  walk.nodes++;
  if (walk.nodes > MAX_NODES) refuse('too_many_nodes', node);
  if (depth > MAX_DEPTH) refuse('too_deep', node);
  const sub = (child: ASTNode): Expr => convert(child, walk, depth + 1);
  return Object.freeze(convertNode(node, walk, sub));
}

function convertNode(node: ASTNode, walk: Walk, sub: (child: ASTNode) => Expr): Expr {
  switch (node.op) {
    case 'value':
      return literal(node, walk);
    case 'id':
      return { kind: 'name', name: node.args };
    case '.':
      return { kind: 'select', of: sub(node.args[0]), key: node.args[1] };
    case '[]':
      return { kind: 'index', of: sub(node.args[0]), key: sub(node.args[1]) };
    case 'list':
      return { kind: 'list', items: Object.freeze(node.args.map(sub)) };
    case 'map': {
      const entries = node.args.map(([key, value]) => Object.freeze([sub(key), sub(value)] as const));
      return { kind: 'map', entries: Object.freeze(entries) };
    }
    case '?:': {
      const [test, yes, no] = node.args;
      return { kind: 'choose', test: sub(test), yes: sub(yes), no: sub(no) };
    }
    case '&&':
    case '||':
      return { kind: 'logic', op: node.op, left: sub(node.args[0]), right: sub(node.args[1]) };
    case '!_':
      return { kind: 'unary', op: '!', of: sub(node.args) };
    case '-_':
      return { kind: 'unary', op: '-', of: sub(node.args) };
    case 'call':
      return node.args[0] === 'has'
        ? has(node, node.args[1], sub)
        : call(node, node.args[0], node.args[1], sub);
    case 'rcall':
      return method(node, node.args[0], node.args[1], node.args[2], sub);
    default: {
      const op: string = node.op;
      if (!isBinary(op)) return refuse('not_in_profile', node);
      const [left, right] = node.args as [ASTNode, ASTNode];
      return { kind: 'binary', op, left: sub(left), right: sub(right) };
    }
  }
}

function isBinary(op: string): op is BinaryOperator {
  return (BINARY as readonly string[]).includes(op);
}

function isMacro(name: string): name is Macro {
  return (MACROS as readonly string[]).includes(name);
}

function literal(node: ASTNode, walk: Walk): Expr {
  const value: unknown = node.args;
  if (value === null || typeof value === 'boolean' || typeof value === 'string')
    return { kind: 'literal', value };
  if (typeof value === 'bigint') {
    const integer = decimalOfInteger(value);
    return digitsOf(integer) > MAX_DIGITS ? refuse('bad_literal', node) : { kind: 'literal', value: integer };
  }
  if (typeof value !== 'number') return refuse('not_in_profile', node);
  // The library rounds to a double; what was written is exact.
  const exact = parseDecimal(walk.source.slice(node.start, node.end));
  return exact === undefined ? refuse('bad_literal', node) : { kind: 'literal', value: exact };
}

function has(node: ASTNode, args: readonly ASTNode[], sub: (child: ASTNode) => Expr): Expr {
  const [field] = args;
  if (field === undefined || args.length !== 1) return refuse('wrong_argument_count', node);
  if (field.op !== '.') return refuse('bad_macro', field);
  return { kind: 'has', of: sub(field.args[0]), key: field.args[1] };
}

function call(node: ASTNode, name: string, args: readonly ASTNode[], sub: (child: ASTNode) => Expr): Expr {
  if (!Object.hasOwn(FUNCTIONS, name) || name === 'startsWith') return refuse('unknown_function', node);
  return checkedCall(node, name as FunctionName, args, sub);
}

function method(
  node: ASTNode,
  name: string,
  receiver: ASTNode,
  args: readonly ASTNode[],
  sub: (child: ASTNode) => Expr,
): Expr {
  if (name === 'startsWith' || name === 'size') return checkedCall(node, name, [receiver, ...args], sub);
  if (!isMacro(name)) return refuse('unknown_function', node);
  const [variable, body] = args;
  if (variable === undefined || body === undefined || args.length !== 2) return refuse('bad_macro', node);
  if (variable.op !== 'id') return refuse('bad_macro', variable);
  return { kind: 'macro', macro: name, over: sub(receiver), name: variable.args, body: sub(body) };
}

function checkedCall(
  node: ASTNode,
  fn: FunctionName,
  args: readonly ASTNode[],
  sub: (child: ASTNode) => Expr,
): Expr {
  const [fewest, most] = FUNCTIONS[fn];
  if (args.length < fewest || args.length > most) return refuse('wrong_argument_count', node);
  return { kind: 'call', fn, args: Object.freeze(args.map(sub)) };
}
