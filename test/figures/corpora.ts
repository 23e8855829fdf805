import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Checklist } from '../../src/declarations/checklist.ts';
import { type LoadedChecklist, loadChecklistFile } from '../../src/declarations/load.ts';
import type { SoundnessOptions } from '../../src/declarations/soundness.ts';
import { digestOfBytes } from '../../src/events/digest.ts';
import { compile } from '../../src/gate/cel/index.ts';
import type { WritesBy } from './bars.ts';
import { readLabels } from './labels.ts';
import { type Action, readRuns, writesOf } from './tau-bench.ts';
import { VARIANT_IDS, variantOf } from './variants.ts';

interface Source {
  readonly title: string;
  readonly checklist: string;
  readonly runs: string;
  readonly corrections: string | null;
  readonly labels: string | null;
}

export const CORPORA = {
  airline: {
    title: 'Airline',
    checklist: 'fixtures/checklists/airline.yaml',
    runs: 'gpt-4o-airline-1.jsonl',
    corrections: 'corrections-airline.json',
    labels: 'labels-airline-1.jsonl',
  },
  retail: {
    title: 'Retail',
    checklist: 'fixtures/checklists/retail.yaml',
    runs: 'tool-calling-l0-4o-1.jsonl',
    corrections: null,
    labels: null,
  },
} as const satisfies Record<string, Source>;

export type CorpusId = keyof typeof CORPORA;
export const CORPUS_IDS = Object.keys(CORPORA) as CorpusId[];

export interface Corpus {
  readonly id: CorpusId;
  readonly title: string;
  readonly checklist: Checklist;
  readonly writes: WritesBy;
  /** What it was computed from, by name: `sha256:` of each file's bytes, and of the checklist as the gate reads it. */
  readonly inputs: readonly (readonly [name: string, digest: string])[];
}

/** The gate's own compiler, so that an expression that it would refuse is a problem of the file. */
export const soundness: SoundnessOptions = {
  compile: (source, define) => {
    const compiled = compile(source, define);
    return { fault: 'fault' in compiled ? compiled.fault : undefined };
  },
};

/** Where the public data are, or null: `GROUNDS_REAL_DATA` names the folder that holds `tau-bench/`. */
export function realData(): string | null {
  const root = process.env.GROUNDS_REAL_DATA;
  if (root === undefined || root === '') return null;
  const folder = join(root, 'tau-bench');
  return existsSync(folder) ? folder : null;
}

export function loadCorpusChecklist(id: CorpusId, root: string): LoadedChecklist {
  return loadChecklistFile(join(root, CORPORA[id].checklist), soundness);
}

/** Audits one file under every variant of its checklist. `root` is the project's folder. */
export function readCorpus(id: CorpusId, data: string, root: string): Corpus {
  const source: Source = CORPORA[id];
  const { checklist, digest } = loadCorpusChecklist(id, root);
  const files = [source.runs, source.corrections, source.labels].filter((name) => name !== null);
  const withdrawn =
    source.corrections === null
      ? []
      : (JSON.parse(readFileSync(join(data, source.corrections), 'utf8')) as { actions: Action[] }).actions;
  const labels = source.labels === null ? [] : readLabels(join(data, source.labels));
  const runs = readRuns(join(data, source.runs), withdrawn);
  const writes = Object.fromEntries(
    VARIANT_IDS.map((variant) => [variant, writesOf(runs, variantOf(checklist, variant), labels)]),
  ) as unknown as WritesBy;
  return {
    id,
    title: source.title,
    checklist,
    writes,
    inputs: [
      ...files.map((name) => [name, digestOfBytes(readFileSync(join(data, name)))] as const),
      [source.checklist, digestOfBytes(readFileSync(join(root, source.checklist)))],
      [`${source.checklist}, as the gate reads it`, digest],
    ],
  };
}
