import { GroundsError } from '../errors.ts';
import type { StreamId } from '../events/envelope.ts';
import type { EncodedCommit } from './encode-commit.ts';
import type { Expected } from './port.ts';

export interface StreamConflict {
  readonly stream: StreamId;
  readonly expected: Expected;
  /** The version that the commit met: the stream's count in the log and, for a later write to the same stream, what this commit itself would have added. */
  readonly actual: number;
}

/**
 * Holds a commit against the versions that the log really has. The read set is judged as the log stood before the commit;
 * writes are judged in their order, so that a second write to a stream sees what the first one adds.
 *
 * @returns the first version of each write
 * @throws GroundsError `log/conflict` with `conflicts: StreamConflict[]`, all of them
 */
export function placeWrites(commit: EncodedCommit, versionOf: (stream: StreamId) => number): number[] {
  const conflicts: StreamConflict[] = [];
  const versions = new Map<StreamId, number>();
  const stored = (stream: StreamId): number => {
    let version = versions.get(stream);
    if (version === undefined) {
      version = versionOf(stream);
      versions.set(stream, version);
    }
    return version;
  };
  for (const { stream, version } of commit.unchanged) {
    const actual = stored(stream);
    if (actual !== version) conflicts.push({ stream, expected: version, actual });
  }
  const placed: number[] = [];
  for (const { stream, expected, events } of commit.writes) {
    const actual = stored(stream);
    if (!holds(expected, actual)) conflicts.push({ stream, expected, actual });
    placed.push(actual);
    versions.set(stream, actual + events.length);
  }
  if (conflicts.length > 0) throw conflict(conflicts);
  return placed;
}

function holds(expected: Expected, actual: number): boolean {
  if (expected === 'any') return true;
  if (expected === 'none') return actual === 0;
  if (expected === 'exists') return actual > 0;
  return expected === actual;
}

function conflict(conflicts: readonly StreamConflict[]): GroundsError {
  const list = conflicts
    .map(({ stream, expected, actual }) => `${stream} is at ${actual}, expected ${expected}`)
    .join('; ');
  return new GroundsError('log/conflict', `The log has moved on: ${list}.`, {
    facts: { conflicts },
    hint: 'Read the streams again, decide again, and append with the versions you read.',
  });
}
