import type BetterSqlite3 from 'better-sqlite3';
import {
  type Compilable,
  DummyDriver,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';

/** What SQLite can bind. */
export type Bindable = null | number | bigint | string | Uint8Array;

export type Params = Readonly<Record<string, Bindable>>;

/** Names a parameter inside a query; its value comes when the statement is run. */
export type Param<P extends Params> = <K extends keyof P & string>(name: K) => RawBuilder<P[K]>;

export interface Prepared<P extends Params, R> {
  readonly sql: string;
  all(params: P): R[];
  get(params: P): R | undefined;
  /** @returns the number of rows changed */
  run(params: P): number;
  /** Runs with the values in the order in which they stand in the SQL: for the hot path. */
  readonly statement: BetterSqlite3.Statement<unknown[], R>;
}

export interface Statements<Tables> {
  /**
   * Compiles a query with Kysely and prepares it with SQLite, once, when it is first used; keep what it gives. Kysely's own
   * driver would do both on every call, which is most of its cost; a command uses few of the statements that there are.
   *
   * @example
   * const versionOf = statements.prepare((q, param: Param<{ stream: string }>) =>
   *   q.selectFrom('events').select('version').where('stream', '=', param('stream')));
   * versionOf.get({ stream: 'call/1' });
   */
  prepare<P extends Params, R>(
    build: (query: Kysely<Tables>, param: Param<P>) => Compilable<R>,
  ): Prepared<P, R>;
}

class Marker {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Kysely as a compiler only: it has no driver here and can run nothing by itself. */
function compiler<Tables>(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

export function statementsOn<Tables>(db: BetterSqlite3.Database): Statements<Tables> {
  const query = compiler<Tables>();
  return {
    prepare<P extends Params, R>(build: (query: Kysely<Tables>, param: Param<P>) => Compilable<R>) {
      const param: Param<P> = (name) => sql`${sql.val(new Marker(name))}`;
      const made = once(() => {
        const { sql: text, parameters } = build(query, param).compile();
        return { text, parameters, statement: db.prepare<unknown[], R>(text) };
      });
      const bind = (params: P): unknown[] =>
        made().parameters.map((value) => (value instanceof Marker ? params[value.name] : value));
      return {
        get sql() {
          return made().text;
        },
        get statement() {
          return made().statement;
        },
        all: (params: P) => made().statement.all(...bind(params)),
        get: (params: P) => made().statement.get(...bind(params)),
        run: (params: P) => made().statement.run(...bind(params)).changes,
      };
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Shapes may hold a number of rows, of which there is no end. */
const MOST = 256;

/** One statement for each shape of query, made when it is first asked for. */
export function keptBy<Q, S>(shapeOf: (query: Q) => string, make: (query: Q) => S): (query: Q) => S {
  const kept = new Map<string, S>();
  return (query) => {
    const shape = shapeOf(query);
    let statement = kept.get(shape);
    if (statement === undefined) {
      if (kept.size >= MOST) kept.clear();
      statement = make(query);
      kept.set(shape, statement);
    }
    return statement;
  };
}
