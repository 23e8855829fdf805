import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { suggest } from '../../src/suggest/index.ts';
import { readTranscripts } from '../../src/transcripts/index.ts';
import { CORPORA, CORPUS_IDS, loadCorpusChecklist, realData } from '../figures/corpora.ts';
import { compare } from './hand-written.ts';

const root = new URL('../..', import.meta.url).pathname;
const data = realData();

describe.skipIf(data === null)('public benchmark runs (GROUNDS_REAL_DATA names their folder)', () => {
  test('for at least four in five write arguments the draft suggests the source that the hand-written checklist uses', () => {
    const compared = CORPUS_IDS.flatMap((id) => {
      const { checklist } = loadCorpusChecklist(id, root);
      return compare(checklist, suggest(readTranscripts(join(data ?? '', CORPORA[id].runs))));
    });
    const same = compared.filter((one) => one.same);
    const others = compared.filter((one) => !one.same);
    const lines = others.map(
      ({ tool, pattern, hand, suggested }) =>
        `  ${tool} ${pattern}\n    by hand: ${hand}\n    drafted: ${suggested}`,
    );
    const strictly = compared.filter((one) => one.strictly).length;
    const said = compared.filter(({ hand }) => hand === 'said' || hand === 'choice').length;
    console.info(
      [
        `${same.length} of ${compared.length} write arguments; by the first field alone ${strictly}; always "typed" would agree in ${said}`,
        'the rest:',
        ...lines,
      ].join('\n'),
    );
    expect(compared.length).toBeGreaterThan(50);
    expect(same.length / compared.length).toBeGreaterThanOrEqual(0.8);
  });
});
