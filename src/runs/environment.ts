import type { Environment } from '../events/run.ts';

/** What this process runs on, stamped on each run as data: a difference in it explains nothing and excuses nothing. */
export function environment(): Environment {
  const { node, v8, icu, unicode } = process.versions;
  return {
    icu: icu ?? '',
    node,
    tz: process.env.TZ ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    unicode: unicode ?? '',
    v8: v8 ?? '',
  };
}
