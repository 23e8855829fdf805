import { GroundsError } from '../errors.ts';

/** What each hook may give, in words for whoever wrote it. */
const GIVES: Readonly<Record<string, string>> = {
  classifyWhenCase: '"immediate", "scheduled", "conditional" or "recurring"',
  extractUserActionName: 'a text',
  confirmToolNameMatchesIntent: '{ approved, reason }',
  extractFromInstruction: '{ value, segment_index, span: [start, end] }',
  measureFromEnvironment: '{ valid: true, value }, or { valid: false } while it is not finished',
  buildActionKey: 'a text that is not empty',
  applyFieldPolicy: '{ pending_at_trigger, sources }',
  validateFieldSchema: 'true, false or { valid }',
  verifyUserChecklistItem: '{ status }',
  validatePayload: 'true, false or { valid }',
  accepts: 'true',
};

/** Why an answer is out of contract, for the one who is told of it; what its shape lacks stands in the cause. Never recorded. */
export function otherShape(hook: string, cause: unknown): GroundsError {
  const gives = hook.startsWith('measure.') ? GIVES.measureFromEnvironment : GIVES[hook];
  return new GroundsError('hook/out_of_contract', `${hook} gave an answer of another shape.`, {
    facts: { hook },
    hint:
      gives === undefined
        ? 'docs/preflight.md says what each hook gives.'
        : `Give ${gives}; undefined where there is nothing.`,
    cause,
  });
}
