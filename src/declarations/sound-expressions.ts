import { celNames } from './cel-names.ts';
import { nearest } from './nearest.ts';
import { RESERVED } from './sound-facts.ts';
import type { Scope } from './soundness.ts';

type Path = readonly (string | number)[];

/** Expressions: their names exist, their named parts don't go round in a circle, and they compile. */
export function unsoundExpressions(scope: Scope): void {
  const { checklist, report } = scope;
  const defines = checklist.define;
  for (const name of Object.keys(defines)) {
    const at: Path = ['define', name];
    if (RESERVED.includes(name) || scope.facts.includes(name)) {
      const what = RESERVED.includes(name) ? 'has a meaning in expressions' : 'is a fact';
      report(at, 'name/reserved', `"${name}" ${what}.`, 'Give this part another name.');
    }
  }
  const circular = circles(defines);
  for (const [name, circle] of circular) {
    const hint = 'Write one of them out.';
    report(['define', name], 'define/circle', `"${name}" is defined by itself: ${circle.join(' → ')}.`, hint);
  }
  for (const [name, source] of Object.entries(defines)) names(scope, source, ['define', name], true);
  for (const [tool, rules] of Object.entries(checklist.tools)) {
    if (typeof rules.reversible === 'string') {
      expression(scope, rules.reversible, ['tools', tool, 'reversible'], false, circular.size > 0);
    }
    for (const [name, condition] of Object.entries(rules.conditions)) {
      const at: Path = ['tools', tool, 'conditions', name, 'require'];
      expression(scope, condition.require, at, condition.each !== undefined, circular.size > 0);
    }
  }
}

function expression(scope: Scope, source: string, at: Path, inEach: boolean, circular: boolean): void {
  if (names(scope, source, at, inEach) || circular || scope.options.compile === undefined) return;
  const { fault } = scope.options.compile(source, scope.checklist.define);
  if (fault === undefined || fault === null) return;
  scope.report(
    at,
    'expression/invalid',
    `This does not compile: ${told(fault)}.`,
    hintFor(source),
    'expression_invalid',
  );
}

/** Reports names that mean nothing; whether there were any. */
function names(scope: Scope, source: string, at: Path, inEach: boolean): boolean {
  const defined = Object.keys(scope.checklist.define);
  let reported = false;
  const told = new Set<string>();
  for (const { name } of celNames(source)) {
    if (told.has(name)) continue;
    told.add(name);
    if (name === 'args' || name === 'now' || scope.facts.includes(name) || defined.includes(name)) continue;
    if (name === 'item' || name === 'index') {
      if (inEach) continue;
      const message = `"${name}" has no meaning without "each".`;
      scope.report(at, 'expression/outside_each', message, 'Add "each: /items/*".', 'expression_invalid');
    } else {
      if (!scope.complete) continue;
      const known = ['args', 'now', ...scope.facts, ...defined];
      const near = nearest(name, known);
      const hint =
        near !== undefined
          ? `Did you mean "${near}"?`
          : `Arguments are args.${name}; facts and defines go by name.`;
      scope.report(at, 'expression/unknown_name', `There is no "${name}" here.`, hint, 'expression_invalid');
    }
    reported = true;
  }
  return reported;
}

/** Each define that leads back to itself, with the way round. */
function circles(defines: Readonly<Record<string, string>>): Map<string, string[]> {
  const uses = new Map<string, string[]>();
  for (const [name, source] of Object.entries(defines)) {
    const used = celNames(source).map((found) => found.name);
    uses.set(
      name,
      [...new Set(used)].filter((each) => Object.hasOwn(defines, each)),
    );
  }
  const found = new Map<string, string[]>();
  for (const start of uses.keys()) {
    const seen = new Set<string>();
    const waiting = [[start]];
    for (let way = waiting.shift(); way !== undefined; way = waiting.shift()) {
      const next = uses.get(way.at(-1) ?? '') ?? [];
      if (next.includes(start)) {
        found.set(start, [...way, start]);
        break;
      }
      for (const each of next) {
        if (seen.has(each)) continue;
        seen.add(each);
        waiting.push([...way, each]);
      }
    }
  }
  return found;
}

/** The compiler's codes in words; it gives codes only, since what it refuses is part of what a verdict rests on. */
const SAYS: Readonly<Record<string, string>> = {
  syntax: 'this is no expression',
  too_long: 'it is too long',
  too_many_nodes: 'it has too many parts',
  too_deep: 'it nests too deep',
  unknown_function: 'there is no such function',
  wrong_argument_count: 'this takes another number of arguments',
  bad_macro: 'this macro is written otherwise: x.all(each, each > 0)',
  bad_literal: 'this is no number or text',
  not_in_profile: 'this is CEL that checklists have no use for',
  definition_cycle: 'it is defined by itself',
  definition_captures: 'a part that is written out here takes a name that is bound around it',
  definition_name: 'a part has a name that means something already',
};

function told(fault: unknown): string {
  if (typeof fault === 'string') return fault;
  const { code, message, text } = (typeof fault === 'object' ? (fault ?? {}) : {}) as Readonly<
    Record<string, unknown>
  >;
  if (typeof message === 'string') return message;
  const says = typeof code === 'string' ? (SAYS[code] ?? code) : 'no reason given';
  return typeof text === 'string' && text !== '' ? `${says}: ${text}` : says;
}

/** One sign where two are meant: what people write most often, coming from other languages. */
const ONE_SIGN = /(?<![=!<>])=(?!=)|(?<!&)&(?!&)|(?<!\|)\|(?!\|)/;

function hintFor(source: string): string {
  const bare = source.replaceAll(/"[^"]*"|'[^']*'/g, '""');
  return ONE_SIGN.test(bare)
    ? 'Two signs are meant: ==, && and ||.'
    : 'See the list of operators and functions in docs/checklist.md.';
}
