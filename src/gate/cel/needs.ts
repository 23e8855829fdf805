import { type Pointer, pointerOf } from '../../events/pointer.ts';
import { decimalToJson, isInteger } from '../decimal.ts';
import type { Compiled } from './compile.ts';
import type { Expr } from './expr.ts';

/** What an expression reads, from its text alone. */
export interface Needs {
  /**
   * Patterns into the arguments, sorted by code units: `args.a.b[0]` gives `/a/b/0`, `args.items.all(i, i.id > 0)`
   * gives `/items/*\/id`. Each stands for what lies there and everything below; where a key is computed, the pattern
   * ends before it. `''` is the whole argument object.
   */
  readonly args: readonly Pointer[];
  /** Free names other than `args`, sorted: facts, `now`, `item`, `index`. What a macro binds is not free. */
  readonly names: readonly string[];
}

/** What a part of an expression may stand for, before it is known how much of it is read. */
type Abstract =
  | { readonly at: readonly (string | number)[] }
  /** A derived list: what an element stands for, and what its length hangs on beside that. */
  | { readonly item: Abstract; readonly length: Abstract }
  | { readonly either: readonly Abstract[] }
  | null;

interface Walk {
  readonly args: Set<Pointer>;
  readonly names: Set<string>;
}

type Env = readonly { readonly name: string; readonly is: Abstract; uses: number }[];

const memo = new WeakMap<Expr, Needs>();

/** RULES R11: what a condition needs is derived from its expression. */
export function needsOf(compiled: Compiled): Needs {
  const known = memo.get(compiled.expr);
  if (known !== undefined) return known;
  const walk: Walk = { args: new Set(), names: new Set() };
  read(visit(compiled.expr, [], walk), walk);
  const needs = Object.freeze({ args: sorted(walk.args), names: sorted(walk.names) });
  memo.set(compiled.expr, needs);
  return needs;
}

function sorted(set: ReadonlySet<string>): readonly string[] {
  return Object.freeze([...set].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** Its value matters whole. */
function read(value: Abstract, walk: Walk): void {
  if (value === null) return;
  if ('at' in value) walk.args.add(pointerOf(value.at));
  else if ('either' in value) for (const one of value.either) read(one, walk);
  else {
    read(value.item, walk);
    read(value.length, walk);
  }
}

function readAll(exprs: readonly Expr[], env: Env, walk: Walk): null {
  for (const expr of exprs) read(visit(expr, env, walk), walk);
  return null;
}

function visit(expr: Expr, env: Env, walk: Walk): Abstract {
  switch (expr.kind) {
    case 'literal':
      return null;
    case 'name':
      return named(expr.name, env, walk);
    case 'select':
      return field(visit(expr.of, env, walk), expr.key);
    case 'has':
      read(field(visit(expr.of, env, walk), expr.key), walk);
      return null;
    case 'index':
      return indexed(visit(expr.of, env, walk), expr.key, env, walk);
    case 'list': {
      const items = expr.items.map((item) => visit(item, env, walk));
      return { item: { either: items }, length: null };
    }
    case 'map':
      for (const entry of expr.entries) readAll(entry, env, walk);
      return null;
    case 'unary':
      return readAll([expr.of], env, walk);
    case 'logic':
    case 'binary':
      return readAll([expr.left, expr.right], env, walk);
    case 'choose':
      readAll([expr.test], env, walk);
      return { either: [visit(expr.yes, env, walk), visit(expr.no, env, walk)] };
    case 'macro':
      return looped(expr, env, walk);
    case 'call':
      return called(expr, env, walk);
  }
}

function named(name: string, env: Env, walk: Walk): Abstract {
  for (let i = env.length - 1; i >= 0; i--) {
    const binding = env[i];
    if (binding === undefined || binding.name !== name) continue;
    binding.uses++;
    return binding.is;
  }
  if (name === 'args') return { at: [] };
  walk.names.add(name);
  return null;
}

function field(value: Abstract, key: string | number): Abstract {
  if (value === null) return null;
  if ('at' in value) return { at: [...value.at, key] };
  if ('either' in value) return { either: value.either.map((one) => field(one, key)) };
  return value.item;
}

/** An element of it, whichever. */
function element(value: Abstract): Abstract {
  return field(value, '*');
}

function indexed(of: Abstract, key: Expr, env: Env, walk: Walk): Abstract {
  const literal = literalKey(key);
  if (literal !== undefined) {
    // Which element of a derived list it is hangs on the list's making, which has been visited.
    return field(of, literal);
  }
  readAll([key], env, walk);
  read(of, walk);
  return null;
}

function literalKey(key: Expr): string | number | undefined {
  if (key.kind !== 'literal') return undefined;
  if (typeof key.value === 'string') return key.value;
  if (typeof key.value !== 'object' || key.value === null || !isInteger(key.value)) return undefined;
  return decimalToJson(key.value);
}

function looped(expr: Expr & { kind: 'macro' }, env: Env, walk: Walk): Abstract {
  const over = visit(expr.over, env, walk);
  const binding = { name: expr.name, is: element(over), uses: 0 };
  const body = visit(expr.body, [...env, binding], walk);
  // A body that does not look at the elements still hangs on how many there are.
  if (binding.uses === 0) read(over, walk);
  if (expr.macro === 'map') return { item: body, length: binding.uses === 0 ? null : lengthOf(over) };
  read(body, walk);
  return expr.macro === 'filter' ? { item: element(over), length: lengthOf(over) } : null;
}

/** What the length of a list made from it hangs on, beside its elements. */
function lengthOf(over: Abstract): Abstract {
  if (over === null || 'at' in over) return null;
  return 'either' in over ? { either: over.either.map(lengthOf) } : over.length;
}

function called(expr: Expr & { kind: 'call' }, env: Env, walk: Walk): Abstract {
  const [first, second] = expr.args;
  if (first === undefined) return null;
  if (expr.fn === 'one') return element(visit(first, env, walk));
  if (second === undefined) return readAll(expr.args, env, walk);
  if (expr.fn === 'at') return indexed(visit(first, env, walk), second, env, walk);
  if (expr.fn !== 'zip') return readAll(expr.args, env, walk);
  const lists = [visit(first, env, walk), visit(second, env, walk)];
  return { item: { item: { either: lists.map(element) }, length: null }, length: { either: lists } };
}
