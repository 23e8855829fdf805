import { GATE_DIGEST } from '../../src/gate-digest.ts';
import { BARS, type Bar, reaches } from './bars.ts';
import type { Corpus } from './corpora.ts';
import { isClearNo, noes } from './labels.ts';
import { byTool, CONTROLS, gate, type Judge, METRICS, type MetricId, type Share, share } from './metrics.ts';
import { reasonOf } from './reasons.ts';
import { judgedWith, swapsOf } from './swaps.ts';
import type { Write } from './tau-bench.ts';
import { VARIANT_IDS, VARIANTS } from './variants.ts';

export interface PrintOptions {
  /** Beside each disagreement the reader's own sentence: for a person at the screen, not for a file that is kept. */
  readonly quotes: boolean;
}

/** All figures as Markdown. The same inputs give the same text: it holds no clock and nothing of the machine. */
export function print(corpora: readonly Corpus[], options: PrintOptions): string {
  return [
    '# Figures on public data',
    '',
    'Computed by `npm run figures` from the public benchmark transcripts that `GROUNDS_REAL_DATA` points to. A write is *right*',
    'if it equals one of the run’s expected actions exactly (for the airline without those that a later edition of the benchmark',
    'took back). The controls are three gates that need no record: *refuse all*, *allow all*, and *occurs somewhere* (each',
    'leaf of the arguments stands, as a token, in what came before). Shares are good outcomes of all writes that a line is about.',
    '',
    '## Inputs',
    '',
    ...table(
      ['input', 'digest'],
      [
        ['the gate', `\`${GATE_DIGEST}\``],
        ...corpora.flatMap(({ inputs }) => inputs.map(([name, digest]) => [name, `\`${digest}\``])),
      ],
    ),
    ...corpora.flatMap((corpus) => ['', ...section(corpus, options)]),
    '',
  ].join('\n');
}

function section(corpus: Corpus, options: PrintOptions): string[] {
  const { writes, checklist, title, id } = corpus;
  const { base } = writes;
  const line = (write: Write): string => reasonOf(write, checklist);
  const judged = base.filter(({ label }) => label !== null);
  const refused = judged.filter((write) => write.label?.should_run === true && !gate(write).executable);
  const passed = judged.filter(
    (write) => write.label !== null && isClearNo(write.label) && gate(write).executable,
  );
  const missing = base.filter((write) => write.right && !gate(write).executable);
  return [
    `## ${title}: ${base.length} writes, ${base.filter(({ right }) => right).length} right`,
    '',
    '### What must be reached',
    '',
    ...bars(BARS[id], corpus),
    '',
    '### Readings of the checklist',
    '',
    ...readings(corpus),
    '',
    'The last line: proposals made from executable ones by exchanging one column between two elements of an array, so that each',
    'leaf is true and the whole is not, judged in the same state of the conversation.',
    '',
    '### By tool',
    '',
    'In each cell: right writes that are executable, then other writes that are not. *Yes before*: writes with an explicit yes in the',
    'typed message right before; it is reported, not required.',
    '',
    ...tools(corpus),
    ...(judged.length === 0
      ? []
      : [
          '',
          '### Disagreements with the reader’s labels',
          '',
          `Should run, and is not executable (${refused.length}):`,
          '',
          ...refused.flatMap((write) => item(write, line(write), options)),
          '',
          `A clear no, and is executable (${passed.length}):`,
          '',
          ...passed.flatMap((write) => item(write, line(write), options)),
        ]),
    '',
    `### Right, and not executable (${missing.length})`,
    '',
    'The sentence of the policy that the write breaks, or what was not said or not measured.',
    '',
    ...missing.flatMap((write) => item(write, line(write), { quotes: false })),
  ];
}

const judges: readonly (readonly [string, Judge])[] = [['gate', gate], ...Object.entries(CONTROLS)];

function bars(list: readonly Bar[], { writes }: Corpus): string[] {
  return table(
    ['figure', 'reading', 'bar', ...judges.map(([name]) => name)],
    list.map((bar) => [
      METRICS[bar.metric].title,
      VARIANTS[bar.variant].title,
      'count' in bar.atLeast ? `≥ ${bar.atLeast.count} of ${bar.of}` : `≥ ${bar.atLeast.share * 100} %`,
      ...judges.map(([, judge]) => {
        const found = share(bar.metric, writes[bar.variant], judge);
        return reaches(found, bar) ? percent(found) : `${percent(found)}, missed`;
      }),
    ]),
  );
}

function readings({ writes }: Corpus): string[] {
  const metrics = (Object.keys(METRICS) as MetricId[]).filter(
    (metric) => share(metric, writes.base, gate).of > 0,
  );
  return table(
    ['figure', ...VARIANT_IDS.map((id) => VARIANTS[id].title)],
    [
      ...metrics.map((metric) => [
        METRICS[metric].title,
        ...VARIANT_IDS.map((id) => percent(share(metric, writes[id], gate))),
      ]),
      ['swapped pairs: not executable', ...VARIANT_IDS.map((id) => percent(swapped(writes[id])))],
    ],
  );
}

function swapped(writes: readonly Write[]): Share {
  const judged = writes
    .filter((write) => gate(write).executable)
    .flatMap((write) => swapsOf(write.args).map(({ args }) => judgedWith(write, args)));
  return { hits: judged.filter((write) => !gate(write).executable).length, of: judged.length };
}

function tools({ writes }: Corpus): string[] {
  const pair = (list: readonly Write[], judge: Judge): string =>
    `${fraction(share('right_runs', list, judge))} · ${fraction(share('other_stops', list, judge))}`;
  const row = (name: string, list: readonly Write[]): string[] => {
    const keys = new Set(list.map(keyOf));
    const others = VARIANT_IDS.map((id) => writes[id].filter((write) => keys.has(keyOf(write))));
    return [
      name,
      String(list.length),
      ...others.map((variant) => pair(variant, gate)),
      ...Object.values(CONTROLS).map((judge) => pair(list, judge)),
      fraction({ hits: list.filter(({ confirmed }) => confirmed).length, of: list.length }),
    ];
  };
  return table(
    [
      'tool',
      'writes',
      ...VARIANT_IDS.map((id) => VARIANTS[id].title),
      ...Object.keys(CONTROLS),
      'yes before',
    ],
    [...byTool(writes.base).map(([tool, list]) => row(`\`${tool}\``, list)), row('all', writes.base)],
  );
}

function keyOf({ line, message }: Write): string {
  return `${line}:${message}`;
}

function item(write: Write, reason: string, { quotes }: PrintOptions): string[] {
  const label = write.label;
  const marks = [write.right ? 'right' : null, write.rejected ? 'rejected by the tool' : null].filter(
    (mark) => mark !== null,
  );
  const said = label === null ? [] : noes(label);
  return [
    `- ${keyOf(write)} \`${write.tool}\`${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`,
    ...(label === null || said.length === 0 || label.should_run ? [] : [`  - reader: ${said.join('; ')}`]),
    ...(quotes && label !== null ? [`  - reader: ${label.why}`] : []),
    `  - gate: ${reason}`,
  ];
}

export function percent(found: Share): string {
  return found.of === 0 ? '–' : `${fraction(found)} (${((100 * found.hits) / found.of).toFixed(0)} %)`;
}

export function fraction({ hits, of }: Share): string {
  return `${hits}/${of}`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}
