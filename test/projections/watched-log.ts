import type { Params, Prepared, SideTables, SqliteLog } from '../../src/log/index.ts';

/** A log that tells what is done to its side tables: `run` may throw before a write, as a dying process would. */
export function watched(
  log: SqliteLog,
  watch: { readonly run?: () => void; readonly all?: (rows: readonly unknown[]) => void },
): SqliteLog {
  return {
    ...log,
    sideTables<Tables>(ddl: readonly string[]): SideTables<Tables> {
      const side = log.sideTables<Tables>(ddl);
      return {
        ...side,
        prepare<P extends Params, R>(build: Parameters<typeof side.prepare<P, R>>[0]): Prepared<P, R> {
          const inner = side.prepare<P, R>(build);
          return {
            ...inner,
            run: (params) => {
              watch.run?.();
              return inner.run(params);
            },
            all: (params) => {
              const rows = inner.all(params);
              watch.all?.(rows);
              return rows;
            },
          };
        },
      };
    },
  };
}
