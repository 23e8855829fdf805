import { isClearNo } from './labels.ts';
import type { Write } from './tau-bench.ts';

export interface Judgement {
  readonly executable: boolean;
  /** Not executable because something was checked and falls short, rather than because something is open. */
  readonly unmet: boolean;
}

export type Judge = (write: Write) => Judgement;

export const gate: Judge = ({ verdict }) => ({
  executable: verdict.kind === 'executable',
  unmet: verdict.kind === 'unmet',
});

/** The controls: a figure that one of them reaches too says nothing about the gate. */
export const CONTROLS = {
  'refuse all': () => ({ executable: false, unmet: false }),
  'allow all': () => ({ executable: true, unmet: false }),
  'occurs somewhere': (write) => ({ executable: write.occurs, unmet: false }),
} as const satisfies Record<string, Judge>;

export interface Share {
  readonly hits: number;
  readonly of: number;
}

type Which = (write: Write) => boolean;
type Good = (judgement: Judgement) => boolean;

export interface Metric {
  readonly title: string;
  /** The writes it is about. */
  readonly about: Which;
  /** What counts as good for them. */
  readonly good: Good;
}

const runs: Good = ({ executable }) => executable;
const stops: Good = ({ executable }) => !executable;
const cancels: Which = ({ tool }) => tool === 'cancel_reservation';

/** Every figure is one of these, over writes and any judge. */
export const METRICS = {
  right_runs: { title: 'right writes: executable', about: ({ right }) => right, good: runs },
  other_stops: { title: 'other writes: not executable', about: ({ right }) => !right, good: stops },
  rejected_stops: {
    title: 'writes that the tool rejected: not executable',
    about: ({ rejected }) => rejected,
    good: stops,
  },
  rejected_unmet: {
    title: 'writes that the tool rejected: not executable by an unmet, not an unknown',
    about: ({ rejected }) => rejected,
    good: ({ unmet }) => unmet,
  },
  should_run_runs: {
    title: 'labelled "should run": executable',
    about: ({ label }) => label?.should_run === true,
    good: runs,
  },
  clear_no_stops: {
    title: 'labelled a clear no: not executable',
    about: ({ label }) => label !== null && isClearNo(label),
    good: stops,
  },
  cancel_right_runs: {
    title: 'right cancellations: executable',
    about: (write) => cancels(write) && write.right,
    good: runs,
  },
  cancel_other_stops: {
    title: 'other cancellations: not executable',
    about: (write) => cancels(write) && !write.right,
    good: stops,
  },
} as const satisfies Record<string, Metric>;

export type MetricId = keyof typeof METRICS;

export function share(metric: MetricId, writes: readonly Write[], judge: Judge): Share {
  const { about, good }: Metric = METRICS[metric];
  const those = writes.filter(about);
  return { hits: those.filter((write) => good(judge(write))).length, of: those.length };
}

/** The same writes by tool, in the order of their names. */
export function byTool(writes: readonly Write[]): [tool: string, writes: Write[]][] {
  const tools = [...new Set(writes.map(({ tool }) => tool))].sort((a, b) => (a < b ? -1 : 1));
  return tools.map((tool) => [tool, writes.filter((write) => write.tool === tool)]);
}
