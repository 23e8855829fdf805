import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GroundsError } from '../src/errors.ts';
import { digestOfBytes } from '../src/events/digest.ts';
import type { Json } from '../src/events/json.ts';
import type { RunStarted } from '../src/events/run.ts';
import { type Driven, drive, isGated, locate, step } from '../src/gate/index.ts';
import type { Locate, Lookup, LookupRequest, RunInput, StepFunction } from '../src/gate/types.ts';
import { GATE_DIGEST } from '../src/gate-digest.ts';
import type { SyncLog } from '../src/log/index.ts';

/** What replay needs of a gate, whether the present one or a frozen one. */
export interface Gate {
  readonly step: StepFunction;
  readonly locate: Locate;
  readonly isGated: (run: RunInput, args: Json | undefined) => boolean;
  /** Asks and judges in one pass; what it gives is what `step` gives. Replay is only sooner done with it. */
  readonly drive?: (run: RunInput, answer: (request: LookupRequest) => Lookup) => Driven;
}

/** Gates by their digest; null where this version ships none of that digest. */
export type Gates = (digest: string) => Gate | null;

/** The gate that this version judges with. */
export const currentGate: Gates = (digest) =>
  digest === GATE_DIGEST ? { step, locate, isGated, drive } : null;

const HEX = /^sha256:([0-9a-f]{64})$/;

/**
 * The present gate, and those of `needed` that stand frozen in `dirs` as `<hex of the digest>.mjs`. A file is run only if its
 * bytes hash to its name, and what is run are those bytes: it is loaded from memory, and can load nothing beside it.
 *
 * @throws GroundsError `replay/gate-altered` (exit 4) where a file does not hash to its name; `replay/gate-unfit`.
 */
export async function gatesOf(dirs: readonly string[], needed: Iterable<string>): Promise<Gates> {
  const frozen = new Map<string, Gate>();
  for (const digest of needed) {
    const hex = HEX.exec(digest)?.[1];
    if (hex === undefined || currentGate(digest) !== null || frozen.has(digest)) continue;
    for (const dir of dirs) {
      const file = join(dir, `${hex}.mjs`);
      const bytes = readIfThere(file);
      if (bytes === null) continue;
      if (digestOfBytes(bytes) !== digest) throw altered(file, digestOfBytes(bytes));
      frozen.set(digest, await load(file, bytes));
      break;
    }
  }
  return (digest) => currentGate(digest) ?? frozen.get(digest) ?? null;
}

/** The digests of all gates that judged runs of this log. */
export function gatesNeeded(log: SyncLog): ReadonlySet<string> {
  const digests = new Set<string>();
  for (const page of log.readSync({ types: ['RunStarted'] })) {
    for (const row of page) {
      const gate = gateOf(() => row.event.data as Partial<RunStarted> | null);
      if (gate !== null) digests.add(gate);
    }
  }
  return digests;
}

/** A row that can't be read is found, with its position, when the rows are checked. */
function gateOf(data: () => Partial<RunStarted> | null): string | null {
  try {
    const gate = data()?.gate;
    return typeof gate === 'string' ? gate : null;
  } catch {
    return null;
  }
}

function readIfThere(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function load(file: string, bytes: Buffer): Promise<Gate> {
  const module: unknown = await import(`data:text/javascript;base64,${bytes.toString('base64')}`);
  const gate = module as Partial<Gate>;
  if ([gate.step, gate.locate, gate.isGated].some((part) => typeof part !== 'function')) {
    throw new GroundsError('replay/gate-unfit', 'The frozen file holds no gate.', {
      facts: { file },
      hint: 'Take the file from the release that judged these runs.',
    });
  }
  return gate as Gate;
}

function altered(file: string, actual: string): GroundsError {
  return new GroundsError('replay/gate-altered', 'A frozen gate is not what its name says.', {
    facts: { file, actual },
    hint: 'Take the file again from the release that judged these runs; this one was not run.',
    exit: 4,
  });
}
