import type { CallRecord } from './record.ts';
import type { Explanation } from './schema.ts';

/** What a verdict of this kind does not prove. A view that leaves these out says more than the record does. */
export function limitsOf(
  record: CallRecord,
  explained: Pick<Explanation, 'slots' | 'tool' | 'conditions'>,
): Explanation['limits'] {
  const { started, verdict } = record;
  const limits: { id: string; says: string }[] = [];
  const add = (id: string, says: string): void => {
    limits.push({ id, says });
  };
  if (started === null || verdict === null) {
    add('not_judged', 'Nothing was checked: no words here say that this call was right.');
    return limits;
  }
  const known = (explained.slots ?? []).filter(({ state }) => state === 'known');
  if (known.some(({ where }) => where?.in === 'text')) {
    add(
      'place_not_meaning',
      'A place proves that the words stand there, not that they were meant for this slot.',
    );
    add('later_correction', 'A later correction that says no new value (“no, not that”) is not seen.');
  }
  if (explained.tool?.state === 'known') {
    add('match_not_proven', 'That the words mean this tool is declared or judged, not proven.');
  }
  const measured =
    known.some(({ source }) => source === 'measured_data') ||
    (explained.conditions ?? []).some(({ reads }) => reads.some(({ where }) => where?.in === 'json'));
  if (measured) add('measurement_as_recorded', 'A wrong measurement at its source is recorded faithfully.');
  if (started.request_boundary === 'assumed') {
    add('request_assumed', 'The whole conversation was taken as one request.');
  }
  if (record.end?.type === 'CallObserved') {
    add('audited', 'This call ran outside the gate: the verdict is what the gate would have found.');
  }
  return limits;
}
