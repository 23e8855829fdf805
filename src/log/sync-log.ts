import type { Appended, Commit, Log, Query } from './port.ts';
import type { StoredRow } from './row.ts';

/** A log whose reads can also be had at once, for drivers that are synchronous. */
export interface SyncLog extends Log {
  /** A random UUID, made with the log. */
  readonly origin: string;
  /** When the log was made, ISO 8601 UTC. */
  readonly created: string;
  /** 32 random bytes from which ids of imported things derive; never part of hashed bytes. */
  readonly importKey: Uint8Array;
  /**
   * Appends all commits in one durable transaction, or none of them: for imports. It does not wait for a group.
   *
   * @throws GroundsError `log/conflict` (of the first that lost), `log/full`, `log/busy`, `log/read-only`, `log/closed`
   */
  appendSync(commits: readonly Commit[]): readonly Appended[];
  read(query: Query): AsyncIterable<readonly StoredRow[]>;
  readSync(query: Query): Iterable<readonly StoredRow[]>;
  versionSync(stream: string): number;
  sizeSync(): number;
  /**
   * Runs what reads, and only reads, on one state of the log: what others append meanwhile is not seen. It also spares the
   * disk's lock for each single read, which is most of what a small one costs. Nothing asynchronous, nothing that writes.
   */
  atOnce<T>(work: () => T): T;
}
