import { held } from './bounded.ts';
import { KINDS } from './draft.ts';
import { type ArgumentTally, argumentTally, MOST } from './tally.ts';

/** Several tallies of one argument as one. */
export function pool(first: ArgumentTally, others: readonly ArgumentTally[]): ArgumentTally {
  const sum = argumentTally(first.pattern);
  for (const one of [first, ...others]) {
    sum.n += one.n;
    sum.empty += one.empty;
    sum.numbers += one.numbers;
    sum.contrasts += one.contrasts;
    sum.typedByChance += one.typedByChance;
    sum.approvedByChance += one.approvedByChance;
    for (const kind of KINDS) sum.found[kind] += one.found[kind];
    for (const [name, n] of one.distinct.sorted()) sum.distinct.add(name, n);
    for (const [reader, n] of one.typedBy.sorted()) sum.typedBy.add(reader, n);
    for (const [name, { value, n }] of one.values) {
      const own = held(sum.values, name, MOST.distinct, () => ({ value, n: 0 }));
      if (own !== undefined) own.n += n;
    }
    for (const [id, ref] of one.refs) {
      const own = held(sum.refs, id, MOST.refs, () => ({ n: 0, echo: 0, choices: 0, chanceHits: 0 }));
      if (own === undefined) continue;
      own.n += ref.n;
      own.echo += ref.echo;
      own.choices += ref.choices;
      own.chanceHits += ref.chanceHits;
    }
    for (const sample of one.samples) if (sum.samples.length < MOST.samples) sum.samples.push(sample);
    for (const [id, siblings] of one.siblings) if (!sum.siblings.has(id)) sum.siblings.set(id, siblings);
  }
  return sum;
}
