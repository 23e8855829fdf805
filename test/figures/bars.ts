import { type Judge, type MetricId, type Share, share } from './metrics.ts';
import type { Write } from './tau-bench.ts';
import type { VariantId } from './variants.ts';

/** What a figure must reach, on how many writes. */
export interface Bar {
  readonly metric: MetricId;
  readonly variant: VariantId;
  readonly of: number;
  readonly atLeast: { readonly count: number } | { readonly share: number };
}

const bar = (metric: MetricId, of: number, atLeast: Bar['atLeast'], variant: VariantId = 'base'): Bar => ({
  metric,
  variant,
  of,
  atLeast,
});

export const BARS: Readonly<Record<'airline' | 'retail', readonly Bar[]>> = {
  airline: [
    bar('should_run_runs', 26, { count: 25 }),
    bar('clear_no_stops', 73, { share: 0.8 }),
    bar('clear_no_stops', 73, { share: 0.8 }, 'payment'),
    bar('clear_no_stops', 73, { share: 0.4 }, 'no_conditions'),
    bar('right_runs', 39, { count: 34 }),
    bar('cancel_right_runs', 14, { count: 12 }),
    bar('cancel_other_stops', 21, { count: 15 }),
    bar('rejected_stops', 35, { share: 0.75 }),
    bar('rejected_unmet', 35, { share: 0.5 }),
    bar('other_stops', 92, { share: 0.6 }),
  ],
  retail: [
    bar('right_runs', 90, { count: 78 }),
    bar('rejected_stops', 16, { share: 0.9 }),
    bar('rejected_unmet', 16, { share: 0.5 }),
    bar('other_stops', 33, { share: 0.45 }),
  ],
};

export function reaches({ hits, of }: Share, { atLeast }: Bar): boolean {
  return 'count' in atLeast ? hits >= atLeast.count : hits >= atLeast.share * of;
}

export type WritesBy = Readonly<Record<VariantId, readonly Write[]>>;

/** The bars that a judge misses. A control that misses none would make them worthless. */
export function missed(bars: readonly Bar[], writes: WritesBy, judge: Judge): Bar[] {
  return bars.filter((item) => !reaches(share(item.metric, writes[item.variant], judge), item));
}
