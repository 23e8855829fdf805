import type { Lookup, Subject } from './lookup.ts';
import type { LookupPerformed } from './run.ts';

/**
 * Lookups as they are stored: one walk a subject, subjects in the order in which they were first asked. Built with sorted
 * keys, so that their plain JSON text is already canonical.
 */
export function walksOf(lookups: readonly Lookup[]): LookupPerformed[] {
  const walks = new Map<string, { subject: Subject; answers: LookupPerformed['answers'] }>();
  for (const { request, by, outcome } of lookups) {
    const { subject, source, key } = request;
    const name = 'slot' in subject ? `slot ${subject.slot}` : `fact ${subject.index} ${subject.fact}`;
    const walk = walks.get(name) ?? { answers: [], subject };
    walks.set(name, walk);
    walk.answers.push(Object.keys(key).length === 0 ? { by, outcome, source } : { by, key, outcome, source });
  }
  return [...walks.values()];
}

/** The lookups that the walks hold, subject by subject. Their order across subjects never matters to the gate. */
export function lookupsOf(walks: readonly LookupPerformed[]): Lookup[] {
  return walks.flatMap(({ subject, answers }) =>
    answers.map(({ source, key, by, outcome }) => ({
      request: { subject, source, key: key ?? {} },
      by,
      outcome,
    })),
  );
}
