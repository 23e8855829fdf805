import { beforeAll, describe, expect, test } from 'vitest';
import type { Checklist } from '../../src/declarations/checklist.ts';
import { BARS, missed, reaches } from './bars.ts';
import { CORPUS_IDS, type Corpus, type CorpusId, readCorpus, realData } from './corpora.ts';
import { CONTROLS, gate, METRICS, share } from './metrics.ts';
import { holdsToken, leavesOf, occurs } from './occurs.ts';
import { print } from './print.ts';
import { reasonOf } from './reasons.ts';
import { judgedWith, swapsOf } from './swaps.ts';
import { textBefore, type Write } from './tau-bench.ts';
import { VARIANT_IDS, VARIANTS } from './variants.ts';

const root = new URL('../..', import.meta.url).pathname;
const data = realData();
const corpora = new Map<CorpusId, Corpus>();
/** Each is judged once, whichever test comes first. */
function corpusOf(id: CorpusId): Corpus {
  const corpus = corpora.get(id) ?? readCorpus(id, data ?? '', root);
  corpora.set(id, corpus);
  return corpus;
}
const at = ({ line, message, tool }: Write): string => `${line}:${message} ${tool}`;

describe.skipIf(data === null).each(CORPUS_IDS)(
  'public data, %s (GROUNDS_REAL_DATA names their folder)',
  (id) => {
    let corpus: Corpus;
    beforeAll(() => {
      corpus = corpusOf(id);
    }, 300_000);

    test.each(BARS[id].map((bar) => [METRICS[bar.metric].title, VARIANTS[bar.variant].title, bar] as const))(
      '%s (%s)',
      (_, __, bar) => {
        const found = share(bar.metric, corpus.writes[bar.variant], gate);
        expect(found.of).toBe(bar.of);
        expect(reaches(found, bar), `${found.hits} of ${found.of}`).toBe(true);
      },
    );

    test.each(Object.entries(CONTROLS))('the control "%s" misses some bar, so the bars bite', (_, judge) => {
      expect(missed(BARS[id], corpus.writes, judge).length).toBeGreaterThan(0);
    });

    test('no one bar is enough: each that refusing all reaches, allowing all misses, and the other way', () => {
      const { 'refuse all': refuse, 'allow all': allow } = CONTROLS;
      const both = BARS[id].filter(
        (bar) =>
          reaches(share(bar.metric, corpus.writes[bar.variant], refuse), bar) &&
          reaches(share(bar.metric, corpus.writes[bar.variant], allow), bar),
      );
      expect(both).toEqual([]);
    });

    test('a value that stands nowhere before the call is not known', () => {
      for (const variant of VARIANT_IDS) {
        const known = corpus.writes[variant].flatMap((write) => {
          const text = textBefore(write.run);
          return leavesOf(write.args)
            .filter(({ value }) => typeof value === 'string' && !occurs(text, value))
            .filter(({ pointer }) => stateOf(write, pointer) === 'known')
            .filter(
              ({ pointer, value }) => !otherWords(write, corpus.checklist, pointer, String(value), text),
            )
            .map(({ pointer, value }) => `${variant} ${at(write)} ${pointer} ${value}`);
        });
        expect(known).toEqual([]);
      }
    });

    test('true leaves exchanged between two elements are not executable', () => {
      const whole = corpus.writes.base.filter((write) => gate(write).executable);
      const swapped = whole.flatMap((write) =>
        swapsOf(write.args).map((swap) => ({ swap, judged: judgedWith(write, swap.args) })),
      );
      expect(swapped.length).toBeGreaterThanOrEqual(id === 'airline' ? 60 : 9);
      const passing = swapped
        .filter(({ judged }) => gate(judged).executable)
        .map(({ swap, judged }) => `${at(judged)} ${swap.array} ${swap.column} ${swap.elements}`);
      expect(passing).toEqual([]);
    });

    test('the unchanged proposal judged again in the same state has the same verdict', () => {
      for (const write of corpus.writes.base)
        expect(judgedWith(write, write.args).verdict).toEqual(write.verdict);
    });

    test('each right write that is not executable has its sentence or what it lacks', () => {
      const right = corpus.writes.base.filter((write) => write.right && !gate(write).executable);
      for (const write of right) {
        expect(reasonOf(write, corpus.checklist), at(write)).toMatch(
          /“|no measurement of|not_said|differs_from/,
        );
      }
    });

    test('printing gives the same text again, with each bar and no value of the data', () => {
      const text = print([corpus], { quotes: false });
      expect(print([corpus], { quotes: false })).toBe(text);
      for (const { metric } of BARS[id]) expect(text).toContain(METRICS[metric].title);
      const ids = corpus.writes.base.flatMap(({ args }) =>
        leavesOf(args).flatMap(({ value }) =>
          typeof value === 'string' && /\d{4}/.test(value) ? [value] : [],
        ),
      );
      expect(ids.length).toBeGreaterThan(100);
      expect(ids.filter((value) => holdsToken(text, value))).toEqual([]);
    });
  },
);

describe.skipIf(data === null)(
  'public data: two famous inventions (GROUNDS_REAL_DATA names their folder)',
  () => {
    test.each(['credit_card_7334', 'credit_card_5634230'])(
      '%s, which no record holds, is unknown',
      (invented) => {
        const slots = corpusOf('airline').writes.base.flatMap((write) =>
          leavesOf(write.args)
            .filter(({ value }) => value === invented)
            .map(({ pointer }) => ({ executable: gate(write).executable, state: stateOf(write, pointer) })),
        );
        expect(slots.length).toBeGreaterThan(0);
        expect(new Set(slots.map((slot) => JSON.stringify(slot)))).toEqual(
          new Set([JSON.stringify({ executable: false, state: 'unknown' })]),
        );
      },
    );
  },
);

function stateOf({ verdict }: Write, slot: string): string | undefined {
  return verdict.slots?.find((state) => state.slot === slot)?.state;
}

/**
 * Whether a value may rightly be known though it stands nowhere literally. Told without the gate's readers: a condition
 * computes it; or one of its declared words stands there; or it is a date whose month and day do.
 */
function otherWords(
  write: Write,
  checklist: Checklist,
  pointer: string,
  value: string,
  text: string,
): boolean {
  const pattern = pointer.replace(/\/\d+(?=\/|$)/g, '/*');
  const slot = checklist.tools[write.tool]?.slots[pattern];
  if (slot === undefined) return false;
  if (slot.fixed_by !== undefined) return true;
  const folded = text.toLowerCase();
  const reader = checklist.readers[slot.reader];
  if (reader !== undefined && 'one_of' in reader) {
    return (reader.one_of[value] ?? []).some((words) => holdsToken(folded, words.toLowerCase()));
  }
  if (slot.reader !== 'date') return false;
  const [, month, day] = value.split('-').map(Number);
  const name = MONTHS[(month ?? 0) - 1];
  if (name === undefined || day === undefined) return false;
  return new RegExp(
    `\\b${name}[a-z]*\\.? ${day}(st|nd|rd|th)?\\b|\\b${day}(st|nd|rd|th)? (of )?${name}`,
    'i',
  ).test(text);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
