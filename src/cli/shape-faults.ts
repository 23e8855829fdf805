import type { z } from 'zod';
import type { Json } from '../events/json.ts';
import { pointerOf, at as valueAt } from '../events/pointer.ts';

/** One fault of a request's shape: the deepest place that tells it, and what is wrong there. */
export interface ShapeFault {
  readonly pointer: string;
  readonly says: string;
}

type Issue = z.core.$ZodIssue;

/** All that is wrong, each place once, so that a request is corrected once. */
export function shapeFaults(issues: readonly Issue[], given: Json): ShapeFault[] {
  const told = new Map<string, ShapeFault>();
  for (const fault of issues.flatMap((issue) => faultsOf(issue, [], given)))
    if (!told.has(fault.pointer)) told.set(fault.pointer, fault);
  return [...told.values()];
}

function faultsOf(issue: Issue, under: readonly PropertyKey[], given: Json): ShapeFault[] {
  const path = [...under, ...issue.path];
  const pointer = pointerOf(path.map(String));
  if (pointer !== '' && valueAt(given, pointer) === undefined) return [{ pointer, says: 'is missing' }];
  if (issue.code !== 'invalid_union' || issue.errors.length === 0)
    return [{ pointer, says: `is not as it should be: ${issue.message}` }];
  const branches = issue.errors.map((inner) => inner.flatMap((each) => faultsOf(each, path, given)));
  const depths = branches.map(depthOf);
  const deepest = Math.max(...depths);
  // The branch that went farthest is the one that was meant; where none went in, any of them would do.
  const meant = branches[depths.indexOf(deepest)];
  if (meant !== undefined && deepest > pointer.split('/').length) return meant;
  const wants = [
    ...new Set(branches.flat().map(({ says }) => says.replace(/^is not as it should be: /, ''))),
  ];
  return [{ pointer, says: `is not as it should be: ${wants.join('; or: ')}` }];
}

function depthOf(faults: readonly ShapeFault[]): number {
  return Math.max(0, ...faults.map(({ pointer }) => pointer.split('/').length));
}
