import type { RecordImported } from '../events/imported.ts';
import { isObject, type Json } from '../events/json.ts';
import type { CallRow } from './call-row.ts';

/**
 * What a row can say of another gate's record: what the record itself says of the call. It is no verdict of ours, so that
 * stays null, with all that a verdict counts. An outcome is taken only where the record says that the call was made.
 */
export function importedRow({
  record,
  origin,
}: RecordImported): Pick<CallRow, 'action_key' | 'tool' | 'arguments' | 'phase' | 'outcome' | 'origin'> {
  const said: Json = 'plain' in record ? record.plain : null;
  const of = isObject(said) ? said : {};
  const fixed = isObject(of.fixed) ? of.fixed : {};
  const { action_key, phase, call_arguments, execution_decision } = of;
  return {
    action_key: typeof action_key === 'string' ? action_key : null,
    tool: typeof fixed.c3_provider_action_name === 'string' ? fixed.c3_provider_action_name : '',
    arguments: isObject(call_arguments) ? call_arguments : null,
    phase: phase === 'at_instruction' || phase === 'at_trigger' ? phase : null,
    outcome:
      execution_decision === 'executed'
        ? 'succeeded'
        : // The skeleton writes it where the call threw, and a throw does not say that nothing happened.
          execution_decision === 'failed'
          ? 'unknown'
          : 'not_executed',
    origin,
  };
}
