import type { SchemaNode, SchemaObject } from './read.ts';

/** The subschemas that judge the very value that their parent judges. */
export function inPlaceOf(node: SchemaObject, lookup: Readonly<Record<string, SchemaNode>>): SchemaNode[] {
  const out: SchemaNode[] = [];
  if (node.$ref !== undefined) out.push(lookup[node.$ref] ?? true);
  for (const list of [node.allOf, node.anyOf, node.oneOf]) if (list !== undefined) out.push(...list);
  for (const one of [node.not, node.if, node.then, node.else]) if (one !== undefined) out.push(one);
  out.push(...Object.values(node.dependentSchemas ?? {}));
  for (const one of Object.values(node.dependencies ?? {})) if (!isNames(one)) out.push(one);
  return out;
}

/** A dependency that only names what must be there too. */
export function isNames(value: SchemaNode | readonly string[]): value is readonly string[] {
  return Array.isArray(value);
}

/** Whether some node judges a value by judging that same value by itself again: it would never end. */
export function loopsInPlace(
  nodes: readonly SchemaNode[],
  lookup: Readonly<Record<string, SchemaNode>>,
): boolean {
  const done = new Set<SchemaNode>();
  const open = new Set<SchemaNode>();
  // An explicit stack: a chain of references may be longer than the engine's own.
  for (const start of nodes) {
    const stack: { node: SchemaNode; rest: SchemaNode[] }[] = [];
    const enter = (node: SchemaNode): boolean => {
      if (open.has(node)) return true;
      if (typeof node === 'boolean' || done.has(node)) return false;
      open.add(node);
      stack.push({ node, rest: inPlaceOf(node, lookup) });
      return false;
    };
    if (enter(start)) return true;
    for (let top = stack[stack.length - 1]; top !== undefined; top = stack[stack.length - 1]) {
      const next = top.rest.pop();
      if (next === undefined) {
        open.delete(top.node);
        done.add(top.node);
        stack.pop();
      } else if (enter(next)) return true;
    }
  }
  return false;
}
