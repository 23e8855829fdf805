import { readFileSync } from 'node:fs';
import type { Json } from '../../src/events/json.ts';

/** What a reader found who saw policy, conversation and results, but neither the expected actions nor the gate. */
export interface Label {
  readonly line: number;
  readonly message: number;
  readonly asked: boolean;
  readonly policy: 'allowed' | 'forbidden' | 'undecidable';
  /** The sentence of the policy it rests on. */
  readonly rule: string;
  /** As it could be known before the call. */
  readonly payload: 'right' | 'wrong' | 'unmeasured';
  readonly unsettled: readonly {
    readonly pointer: string;
    readonly value: Json;
    readonly why: 'invented' | 'agent_chose' | 'differs_from_user' | 'computed';
  }[];
  readonly should_run: boolean;
  readonly why: string;
}

export function readLabels(file: string): Label[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Label);
}

/**
 * Forbidden (but not where the only question is whether the reason is one that the insurance covers), or a wrong payload,
 * or something invented or differing from what the user said, or nobody asked for it.
 */
export function isClearNo(label: Label): boolean {
  return !label.should_run && noes(label).length > 0;
}

/** What makes it a no, in words. */
export function noes(label: Label): string[] {
  const found: string[] = [];
  if (label.policy === 'forbidden' && !label.rule.startsWith('insurance, reason not'))
    found.push('forbidden');
  if (label.payload === 'wrong') found.push('payload wrong');
  for (const { pointer, why } of label.unsettled) {
    if (why === 'invented') found.push(`${pointer} invented`);
    if (why === 'differs_from_user') found.push(`${pointer} differs from what the user said`);
  }
  if (!label.asked) found.push('not asked for');
  return found;
}
