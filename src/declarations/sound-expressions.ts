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
  const hint = 'See the list of operators and functions in docs/checklist.md.';
  scope.report(
    at,
    'expression/invalid',
    `This does not compile: ${told(fault)}.`,
    hint,
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

function told(fault: unknown): string {
  if (typeof fault === 'string') return fault;
  if (typeof fault === 'object' && fault !== null) {
    const { message, code } = fault as { message?: unknown; code?: unknown };
    if (typeof message === 'string') return message;
    if (typeof code === 'string') return code;
  }
  return 'no reason given';
}
