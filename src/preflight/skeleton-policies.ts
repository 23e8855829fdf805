import { z } from 'zod';
import { encode } from '../events/canonical.ts';
import { digestOf } from '../events/digest.ts';
import type { Json } from '../events/json.ts';
import type { Segment } from '../events/segment.ts';
import type { ToolDeclaration } from '../events/tool.ts';
import { SOURCES } from '../events/vocabulary.ts';
import type { RunInput } from '../gate/index.ts';
import type { SkeletonParts } from './as-skeleton.ts';
import { callHook } from './call-hook.ts';
import { contextFor, fieldOf, frozenCopy } from './hook-context.ts';
import type { SkeletonInput } from './skeleton-input.ts';
import { type FieldPolicy, fieldsOf, itemRules, type MadeRules, skeletonRules } from './skeleton-rules.ts';

type RulesOf = (
  input: SkeletonInput,
  tool: ToolDeclaration,
  segments: readonly Segment[],
) => Promise<MadeRules>;

/** How many rules are remembered. */
const REMEMBERED = 1_000;

/** Makes the rules of one input: the skeleton's own where no checklists were given, and the user's items in any case. */
export function rulesMaker(
  parts: Pick<SkeletonParts, 'hooks' | 'deadline' | 'onHookError' | 'declared'>,
): RulesOf {
  const known = new Map<string, MadeRules>();

  return async (input, tool, segments) => {
    const items = input.userChecklist ?? [];
    const policies = parts.declared ? new Map() : await policiesOf(input, tool, segments);
    if (policies === null) return POLICY_FAILED(tool);
    // The same rules as the same objects, so that what the gate remembers of them holds.
    const id = encode([tool, [...policies], items, parts.declared]);
    const found = known.get(id);
    if (found !== undefined) return found;
    const { validateFieldSchema, validatePayload } = parts.hooks;
    const checks = { field: validateFieldSchema !== undefined, payload: validatePayload !== undefined };
    const own = parts.declared ? null : skeletonRules(tool, policies, checks);
    const users = itemRules(tool, items);
    const rules: MadeRules = {
      checklists: [...(own?.checklists ?? []), ...users.checklists],
      unsound: users.unsound,
      madeFor: { fields: own?.madeFor.fields ?? new Map(), items: users.madeFor.items },
    };
    if (known.size >= REMEMBERED) known.clear();
    known.set(id, rules);
    return rules;
  };

  /** null: a policy could not be had, and then no rules can be made. */
  async function policiesOf(
    input: SkeletonInput,
    tool: ToolDeclaration,
    segments: readonly Segment[],
  ): Promise<Map<string, FieldPolicy> | null> {
    const hook = parts.hooks.applyFieldPolicy;
    const policies = new Map<string, FieldPolicy>();
    if (hook === undefined) return policies;
    const run = draftOf(tool, segments);
    const brought = { userId: input.userId, measured_data: frozenCopy<Json>(input.measured_data ?? null) };
    const base = contextFor(run, brought, true);
    const fields = fieldsOf(tool.input_schema);
    const call = { name: 'applyFieldPolicy', deadline: parts.deadline, onHookError: parts.onHookError };
    const answers = await Promise.all(
      fields.map(({ slot }) => callHook(hook, { ...base, field: fieldOf(run, slot) }, PolicyAnswer, call)),
    );
    for (const [index, answer] of answers.entries()) {
      if (answer.said === 'failed') return null;
      if (answer.said === 'answer') policies.set(fields[index]?.slot as string, answer.value as FieldPolicy);
    }
    return policies;
  }
}

const PolicyAnswer = z.looseObject({
  pending_at_trigger: z.boolean().optional(),
  sources: z.array(z.enum(SOURCES)).min(1).optional(),
});

const POLICY_FAILED = (tool: ToolDeclaration): MadeRules => ({
  checklists: [],
  unsound: [{ digest: digestOf({ applyFieldPolicy: 'failed', tool }), declared_by: 'system' }],
  madeFor: { fields: new Map(), items: new Map() },
});
function draftOf(tool: ToolDeclaration, segments: readonly Segment[]): RunInput {
  return {
    gate: '',
    ruleset: 'standard',
    phase: 'at_trigger',
    now: null,
    attempts: { intent: 0, tool: 0 },
    proposal: null,
    tool,
    tool_digest: '',
    checklists: [],
    unsound: [],
    action_key: 'ok',
    segments,
    request_from: 0,
    entries: [],
  };
}
