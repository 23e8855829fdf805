import { attributeOf } from '../../src/declarations/labels.ts';
import { compile, needsOf } from '../../src/gate/cel/index.ts';
import type { RunInput } from '../../src/gate/types.ts';
import { namingFacts, pathsFor } from './reference-measured.ts';
import { listSlots } from './reference-slots.ts';
import { inForce, named } from './reference-world.ts';

/** What the declared needs reach from one slot: by keys of facts, by what facts measure or name, by groups and expressions. */
export function reachedFrom(run: RunInput, start: string): (slot: string) => boolean {
  const rules = inForce(run);
  const { slots } = listSlots(run, rules);
  const edges = new Map<string, Set<string>>();
  const edge = (from: string, to: string): void => {
    const known = edges.get(from) ?? new Set();
    edges.set(from, known.add(to));
  };
  const factEdges = (name: string): void => {
    for (const { match } of rules.facts[name]?.measured_by ?? []) {
      for (const ref of Object.values(match)) {
        if (ref.includes('#')) edge(`fact ${ref.split('#')[0]}`, `fact ${name}`);
        for (const { id } of slots) if (ref.startsWith('/') && named(id, ref)) edge(id, `fact ${name}`);
      }
    }
  };
  for (const name of Object.keys(rules.facts)) factEdges(name);
  for (const slot of slots) {
    for (const { fact } of pathsFor(rules, slot)) edge(`fact ${fact}`, slot.id);
    for (const fact of namingFacts(slot.decl)) edge(`fact ${fact}`, slot.id);
    if (slot.decl?.fixed_by !== undefined) edge(`condition ${slot.decl.fixed_by}`, slot.id);
    for (const other of slots)
      if (groupOf(rules, slot.pattern) === groupOf(rules, other.pattern)) edge(slot.id, other.id);
  }
  const labels = rules.labels.flatMap((label) => {
    const { id } = label;
    const by = label.kind === 'required_condition' ? attributeOf(label, 'by') : undefined;
    if (by !== undefined) edge(`fact ${by.of}`, `condition ${id}`);
    const require =
      label.kind === 'required_condition' ? attributeOf(label, 'require')?.expression : undefined;
    return require === undefined ? [] : [{ id, require, define: {} as Record<string, string> }];
  });
  const conditions = [
    ...labels,
    ...rules.conditions.map(({ id, body, define }) => ({ id, require: body.require, define })),
  ];
  for (const { id, require, define } of conditions) {
    const compiled = compile(require, define);
    if ('fault' in compiled) continue;
    const needs = needsOf(compiled);
    for (const name of needs.names) edge(`fact ${name}`, `condition ${id}`);
    const whole = needs.names.includes('item');
    for (const { id: slot } of slots) {
      if (whole || needs.args.some((pattern) => onPath(pattern, slot))) edge(slot, `condition ${id}`);
    }
  }
  for (const entry of run.entries) {
    for (const { slot: label, within } of (entry.kind === 'setting' ? entry.satisfies : undefined) ?? []) {
      const compiled = compile(within, {});
      const args = 'fault' in compiled ? [] : needsOf(compiled).args;
      for (const { id } of slots) if (args.some((pattern) => onPath(pattern, id))) edge(id, label);
    }
  }
  const reached = new Set<string>();
  const visit = (node: string): void => {
    if (reached.has(node)) return;
    reached.add(node);
    for (const next of edges.get(node) ?? []) visit(next);
  };
  visit(start);
  return (slot) => reached.has(slot) || reached.has(`condition ${slot.replace(/\/[0-9]+$/, '')}`);
}

function groupOf(rules: ReturnType<typeof inForce>, pattern: string): string {
  const declared = rules.groups.findIndex(({ of }) =>
    of.some((each) => pattern === each || pattern.startsWith(`${each}/`)),
  );
  if (declared >= 0) return `group ${declared}`;
  const star = pattern.lastIndexOf('/*/');
  return star < 0 ? pattern : pattern.slice(0, star + 2);
}

function onPath(pattern: string, slot: string): boolean {
  const a = pattern.split('/');
  const b = slot.split('/');
  return a.every((part, index) => index >= b.length || part === '*' || part === b[index]);
}
