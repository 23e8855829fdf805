import { expect } from 'vitest';
import {
  type Compiled,
  compile,
  type Evaluation,
  evaluate,
  type Scope,
} from '../../../src/gate/cel/index.ts';

export function compiled(source: string, defines: Record<string, string> = {}): Compiled {
  const found = compile(source, defines);
  return 'fault' in found ? expect.fail(`${source}: ${JSON.stringify(found.fault)}`) : found;
}

export function run(source: string, scope: Scope = {}, zone: string | null = null): Evaluation {
  return evaluate(compiled(source), scope, { zone });
}
