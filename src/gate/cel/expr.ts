import type { Decimal } from '../decimal.ts';

/** The longest source that is read, in UTF-16 code units. */
export const MAX_SOURCE = 4000;
/** The most nodes of an expression, its definitions written out. */
export const MAX_NODES = 500;
/** The deepest nesting; a chain `a && b && c` nests once a link. */
export const MAX_DEPTH = 200;

/** `e.m(x, body)`: `x` is bound in `body` to each element of a list, or each key of a map in code unit order. */
export const MACROS = ['all', 'exists', 'exists_one', 'filter', 'map'] as const;
export type Macro = (typeof MACROS)[number];

export const BINARY = ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', 'in'] as const;
export type BinaryOperator = (typeof BINARY)[number];

/** Every function there is, with how many arguments it takes (the fewest and the most). */
export const FUNCTIONS = {
  /** Code points of a string, elements of a list, keys of a map. Also `x.size()`. */
  size: [1, 1],
  /** Only as `text.startsWith(beginning)`. */
  startsWith: [2, 2],
  /** Of a list of numbers; 0 of none. */
  sum: [1, 1],
  /** Of a list, or of two arguments or more; all numbers or all strings. */
  min: [1, 32],
  max: [1, 32],
  /** The only element of a list. */
  one: [1, 1],
  /** The element at a key or an index; null where there is none. */
  at: [2, 2],
  /** Two lists of one length, pairwise: a list of lists of two. */
  zip: [2, 2],
  /** Seconds since 1970-01-01T00:00:00Z of a date-time text. */
  seconds: [1, 1],
  /** Days since 1970-01-01 of the date that a date or date-time text says. */
  day_number: [1, 1],
} as const satisfies Record<string, readonly [number, number]>;
export type FunctionName = keyof typeof FUNCTIONS;

export type Literal = null | boolean | string | Decimal;

/** An expression as the gate holds it: frozen, thirteen kinds of node. */
export type Expr =
  | { readonly kind: 'literal'; readonly value: Literal }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'select'; readonly of: Expr; readonly key: string }
  | { readonly kind: 'has'; readonly of: Expr; readonly key: string }
  | { readonly kind: 'index'; readonly of: Expr; readonly key: Expr }
  | { readonly kind: 'list'; readonly items: readonly Expr[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [Expr, Expr])[] }
  | { readonly kind: 'unary'; readonly op: '!' | '-'; readonly of: Expr }
  | { readonly kind: 'logic'; readonly op: '&&' | '||'; readonly left: Expr; readonly right: Expr }
  | { readonly kind: 'binary'; readonly op: BinaryOperator; readonly left: Expr; readonly right: Expr }
  | { readonly kind: 'choose'; readonly test: Expr; readonly yes: Expr; readonly no: Expr }
  | {
      readonly kind: 'macro';
      readonly macro: Macro;
      readonly over: Expr;
      readonly name: string;
      readonly body: Expr;
    }
  | { readonly kind: 'call'; readonly fn: FunctionName; readonly args: readonly Expr[] };

/** Why an expression was refused. Codes, never messages. */
export type CompileFaultCode =
  | 'syntax'
  | 'too_long'
  | 'too_many_nodes'
  | 'too_deep'
  | 'unknown_function'
  | 'wrong_argument_count'
  | 'bad_macro'
  | 'bad_literal'
  | 'not_in_profile'
  | 'definition_cycle'
  | 'definition_captures'
  | 'definition_name';

export interface CompileFault {
  readonly code: CompileFaultCode;
  /** Where in the source, UTF-16 code units, half-open. */
  readonly start: number;
  readonly end: number;
  /** The source text at that range. */
  readonly text: string;
  /** The named definition whose source is meant; null for the expression itself. */
  readonly definition: string | null;
}

/** Why an evaluation gave no value. Codes, never messages. */
export type EvaluationFaultCode =
  | 'no_such_name'
  | 'no_such_key'
  | 'no_such_index'
  | 'wrong_type'
  | 'not_boolean'
  | 'not_an_integer'
  | 'division_by_zero'
  | 'inexact_division'
  | 'number_too_long'
  | 'not_representable'
  | 'doubled_key'
  | 'empty'
  | 'not_one'
  | 'lengths_differ'
  | 'bad_datetime'
  | 'zone_unknown'
  | 'too_much_work'
  | 'too_deep';
