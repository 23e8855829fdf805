import { pointerOf } from '../events/pointer.ts';
import type { ReasonId } from '../events/vocabulary.ts';
import type { Checklist } from './checklist.ts';
import { notAllowed } from './permissions.ts';
import type { Problem } from './problem.ts';
import { unsoundExpressions } from './sound-expressions.ts';
import { unsoundFacts } from './sound-facts.ts';
import { unsoundSlots } from './sound-slots.ts';
import { unsoundWords } from './sound-words.ts';

/** What is wrong with an item, and the reason that its slot gets in a verdict. */
export interface Finding extends Problem {
  readonly reason: Extract<ReasonId, 'checklist_unsound' | 'not_allowed_to_declare' | 'expression_invalid'>;
}

/** Compiles a CEL source with the named parts of its checklist; `fault` where it does not compile. */
export type CompileExpression = (
  source: string,
  defines: Readonly<Record<string, string>>,
) => { readonly fault?: unknown };

export interface SoundnessOptions {
  /** Without it, expressions are checked for their names only. */
  readonly compile?: CompileExpression;
  /** The other checklists of the run: where a provider's or user's names of facts and readers are looked up. */
  readonly beside?: readonly Checklist[];
  /** R10: under `standard` (the default) `prior_state` is a candidate only. */
  readonly ruleset?: 'standard' | 'inherit';
}

/** What the checks of one checklist share. */
export interface Scope {
  readonly checklist: Checklist;
  readonly options: SoundnessOptions;
  readonly facts: readonly string[];
  readonly readers: readonly string[];
  /** False where names may be declared in a checklist that is not at hand: then an unknown name is not a finding. */
  readonly complete: boolean;
  /** Adds a finding; the path is given by its parts. */
  report(
    path: readonly (string | number)[],
    code: string,
    message: string,
    hint: string,
    reason?: Finding['reason'],
  ): void;
}

/**
 * What is wrong across the items of one checklist, in the order of their paths (RULES R1 step 0, R4). Pure: the gate
 * runs it too, and turns each finding into `definition_repair` of its item.
 */
export function soundnessOf(checklist: Checklist, options: SoundnessOptions = {}): Finding[] {
  const findings: Finding[] = [];
  const all = [checklist, ...(options.beside ?? [])];
  const scope: Scope = {
    checklist,
    options,
    facts: all.flatMap((each) => Object.keys(each.facts)),
    readers: all.flatMap((each) => Object.keys(each.readers)),
    complete: checklist.declared_by === 'system' || options.beside !== undefined,
    report: (path, code, message, hint, reason = 'checklist_unsound') => {
      findings.push({ path: pointerOf(path), code, message, hint, reason });
    },
  };
  notAllowed(scope);
  unsoundWords(scope);
  unsoundFacts(scope);
  unsoundSlots(scope);
  unsoundExpressions(scope);
  return findings.sort(
    (a, b) => compare(a.path, b.path) || compare(a.code, b.code) || compare(a.message, b.message),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
