import { plainOf } from '../events/content.ts';
import type { Json } from '../events/json.ts';
import { segmentsOf } from '../events/pointer.ts';
import type { Verdict } from '../events/verdict.ts';
import { without } from '../gate/assembled.ts';
import { type RunInput, rulesFor } from '../gate/index.ts';
import { validatePayload } from '../gate/payload.ts';
import { listSlots } from '../gate/slot-list.ts';

/** What the schema has against the arguments: the places that it does not have, else its keyword and where; null where nothing. */
export function payloadFault(
  run: RunInput,
  verdict: Verdict | null,
): { readonly noPlaceFor: readonly string[] } | { readonly keyword: string; readonly at: string } | null {
  const rules = rulesFor(run);
  const { notAllowed } = listSlots(run, rules);
  if (notAllowed.length > 0) return { noPlaceFor: notAllowed };
  const failed = rules.schema === null ? null : validatePayload(rules.schema, sentBy(run, verdict));
  return failed === null || failed.ok
    ? null
    : { keyword: failed.keyword, at: failed.at === '' ? '/' : failed.at };
}

/** What would be sent: a value that is known to be nothing is left out. */
function sentBy({ proposal }: RunInput, verdict: Verdict | null): Json {
  const prepared = proposal?.prepared;
  if (prepared === null || prepared === undefined) return {};
  const gone = (verdict?.slots ?? []).flatMap(({ slot, state }) => (state === 'null' ? [slot] : []));
  return gone.reduce<Json>((value, slot) => without(value, segmentsOf(slot)), plainOf(prepared));
}
