import { digestOf } from '../../src/events/digest.ts';
import type { DataOf } from '../../src/events/index.ts';
import { streamOf } from '../../src/events/streams.ts';
import type { SyncLog } from '../../src/log/index.ts';
import type { CallPlace, CallRow } from '../../src/projections/call-row.ts';

/** The row and place of one audited call, folded from its stream: as much as the tests here need. */
export function foldCall(log: SyncLog, callId: string): { place: CallPlace; row: CallRow } {
  const stream = streamOf.call(callId);
  const rows = [...log.readSync({ stream })].flat();
  const from = rows.findLastIndex(({ type }) => type === 'RunStarted');
  const to = rows.findLastIndex(({ type }) => type === 'VerdictRecorded') + 1;
  const started = from < 0 ? null : (rows[from]?.event.data as DataOf<'RunStarted'>);
  const recorded = rows[to - 1]?.event.data as DataOf<'VerdictRecorded'> | undefined;
  const verdict = from < 0 ? null : (recorded?.verdict ?? null);
  const observed = rows.find(({ type }) => type === 'CallObserved')?.event.data as
    | DataOf<'CallObserved'>
    | undefined;
  const prepared = started?.proposal?.prepared ?? observed?.arguments ?? null;
  const tool = observed?.tool ?? '';
  return {
    place: {
      stream,
      position: rows[0]?.position ?? 0,
      run: from < 0 ? null : { from, to },
      conversation: started?.conversation ?? null,
    },
    row: {
      call_id: callId,
      run_id: started?.run ?? null,
      request_id: started?.request ?? null,
      action_key: null,
      tool,
      arguments: prepared !== null && 'plain' in prepared ? prepared.plain : null,
      phase: started?.phase ?? null,
      verdict: verdict?.kind ?? null,
      exhausted: verdict?.exhausted ?? false,
      unknown_count: verdict?.unknown_count ?? null,
      unknown: [],
      unmet:
        verdict?.unmet.map(({ slot, reason, declared_by }) => ({ slot_id: slot, reason, declared_by })) ?? [],
      reductions: verdict?.reductions ?? [],
      outcome: observed?.outcome ?? 'not_executed',
      ran_without_grounds: observed?.gated === true && verdict?.kind !== 'executable',
      gated: observed?.gated ?? true,
      origin: started?.origin ?? observed?.origin ?? null,
      verdict_digest: verdict === null ? null : digestOf(verdict),
    },
  };
}
