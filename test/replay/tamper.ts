import BetterSqlite3 from 'better-sqlite3';
import type { Envelope } from '../../src/events/envelope.ts';
import type { Json } from '../../src/events/json.ts';
import { escapeSegment } from '../../src/events/pointer.ts';
import { PARTIES, REASONS, ROUTES, SOURCES, VERDICT_KINDS } from '../../src/events/vocabulary.ts';
import { encodeEnvelope, leafHash, type StoredRow, type SyncLog } from '../../src/log/index.ts';

/** Writes into a log's file past its guards, and leaves them as they were. */
export function past(file: string, attack: (db: BetterSqlite3.Database) => void): void {
  const db = new BetterSqlite3(file);
  try {
    db.pragma('synchronous = OFF');
    const guards = db
      .prepare<[], { name: string; sql: string }>(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'",
      )
      .all();
    db.transaction(() => {
      for (const { name } of guards) db.exec(`DROP TRIGGER ${name}`);
      attack(db);
      for (const { sql } of guards) db.exec(sql);
    })();
  } finally {
    db.close();
  }
}

/** Another event in an old one's row; the leaf hash is mended, or left as it was. */
export function overwrite(file: string, position: number, event: Envelope, leaf: 'mended' | 'left'): void {
  const bytes = Buffer.from(encodeEnvelope(event));
  past(file, (db) => {
    db.prepare('UPDATE events SET bytes = ?, stream = ?, type = ? WHERE position = ?').run(
      bytes,
      event.stream,
      event.type,
      position,
    );
    if (leaf === 'mended')
      db.prepare('UPDATE events SET leaf = ? WHERE position = ?').run(leafHash(bytes), position);
  });
}

/** The whole log anew, with positions, versions and leaf hashes as if it had always been so. */
export function rewrite(file: string, events: readonly Envelope[]): void {
  past(file, (db) => {
    db.exec('DELETE FROM events');
    const insert = db.prepare(
      'INSERT INTO events (position, stream, version, type, bytes, leaf) VALUES (?, ?, ?, ?, ?, ?)',
    );
    const versions = new Map<string, number>();
    events.forEach((event, position) => {
      const version = versions.get(event.stream) ?? 0;
      versions.set(event.stream, version + 1);
      const bytes = Buffer.from(encodeEnvelope(event));
      insert.run(position, event.stream, version, event.type, bytes, leafHash(bytes));
    });
  });
}

export function rowsOf(log: SyncLog): StoredRow[] {
  return [...log.readSync({})].flat();
}

export interface Mutant {
  /** Into the envelope. */
  readonly pointer: string;
  readonly what: string;
  readonly event: Envelope;
}

/** Every change of one field: each leaf another, each list one shorter and one longer, each optional member gone. */
export function mutantsOf(event: Envelope): Mutant[] {
  return [...changes(event as unknown as Json, '')].map(({ pointer, what, value }) => ({
    pointer,
    what,
    event: value as unknown as Envelope,
  }));
}

interface Change {
  readonly pointer: string;
  readonly what: string;
  readonly value: Json;
}

const OPTIONAL = ['by', 'key'];

function* changes(value: Json, pointer: string): Generator<Change, void> {
  if (typeof value !== 'object' || value === null) {
    yield { pointer, what: 'changed', value: another(value) };
    return;
  }
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    if (list.length > 0) {
      yield { pointer, what: 'dropped', value: list.slice(0, -1) };
      yield { pointer, what: 'doubled', value: [...list, list.at(-1) as Json] };
    }
    for (const [index, item] of list.entries()) {
      for (const change of changes(item, `${pointer}/${index}`)) {
        yield { ...change, value: list.with(index, change.value) };
      }
    }
    return;
  }
  const object = value as { readonly [key: string]: Json };
  for (const key of Object.keys(object)) {
    const at = `${pointer}/${escapeSegment(key)}`;
    if (OPTIONAL.includes(key)) {
      const { [key]: _, ...rest } = object;
      yield { pointer: at, what: 'gone', value: rest };
    }
    for (const change of changes(object[key] as Json, at)) {
      yield { ...change, value: { ...object, [key]: change.value } };
    }
  }
}

const LISTS: readonly (readonly string[])[] = [
  SOURCES,
  ROUTES,
  ['user', 'agent', 'tool', 'hook', 'system', 'third_party'],
  PARTIES,
  VERDICT_KINDS,
  ['locator', 'log', 'hook'],
  ['succeeded', 'failed', 'unknown'],
  ['assumed', 'declared'],
  ['absent', 'no_place', 'unfinished'],
  ['arguments', 'result'],
  ['ok', 'failed'],
  ['at_trigger', 'at_instruction'],
  ['standard', 'inherit'],
  REASONS,
];

function another(value: null | boolean | number | string): Json {
  if (value === null) return '00000000-0000-4000-8000-00000000dead';
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  const list = LISTS.find((known) => known.includes(value));
  if (list !== undefined) return list[(list.indexOf(value) + 1) % list.length] as string;
  if (/^(sha256:)?[0-9a-f-]{36,64}$/.test(value))
    return value.slice(0, -1) + (value.endsWith('0') ? '1' : '0');
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return value.replace('T10', 'T11').replace('T11:00:00.', 'T12:00:00.');
  return `${value}~`;
}
