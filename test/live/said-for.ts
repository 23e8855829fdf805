import type { Place } from '../../src/events/place.ts';
import { at as valueAt } from '../../src/events/pointer.ts';
import type { Segment } from '../../src/events/segment.ts';
import type { StoredRow } from '../../src/log/index.ts';
import { same } from './arguments-sent.ts';
import type { Effect } from './effects.ts';
import { dataIn, type StartRecord } from './record.ts';

type Claim = (holds: boolean, what: string) => void;

/** Who said what the verdict rests on, place by place: each in its own right, for this call, and not taken back before the start. */
export function againstWhatWasSaid(effect: Effect, record: StartRecord, claim: Claim): void {
  for (const state of [...record.verdict.intent, ...(record.verdict.slots ?? [])]) {
    claim(state.state !== 'unknown', `${state.slot} is unknown`);
    if (state.state === 'unknown') continue;
    const places = [state.place, state.state === 'known' ? state.by : null];
    for (const place of places) {
      if (place === null) continue;
      if (place.in === 'entry') againstEntry(effect, record, state.slot, place, claim);
      else againstSegment(record, state, place, claim);
    }
  }
}

function againstSegment(
  { past, run }: StartRecord,
  { slot, source }: { readonly slot: string; readonly source: string | null },
  place: Exclude<Place, { in: 'entry' }>,
  claim: Claim,
): void {
  const row = past.find(
    ({ stream, version }) => stream === `conversation/${run.conversation}` && version === place.segment,
  );
  const segment: Segment | undefined = dataIn(row, 'SegmentAdded')?.segment;
  claim(place.segment < run.segments && segment !== undefined, `${slot} stands where the run saw nothing`);
  if (segment === undefined) return;
  const typed = segment.author === 'user' && segment.typed;
  const observed =
    segment.observes !== null && segment.observes.failed !== true && segment.observes.fault === null;
  if (source === 'instruction') claim(typed || observed, `${slot} is instructed by ${segment.author}`);
  if (source === 'measured_data') claim(typed || observed, `${slot} is measured by ${segment.author}`);
}

function againstEntry(
  effect: Effect,
  record: StartRecord,
  slot: string,
  place: Extract<Place, { in: 'entry' }>,
  claim: Claim,
): void {
  const given = record.run.entries[place.entry];
  claim(given !== undefined, `${slot} stands in no entry`);
  if (given === undefined) return;
  const { event: id, entry } = given;
  const row = id === null ? undefined : record.past.find(({ event }) => event.id === id);
  switch (entry.kind) {
    case 'approval':
      againstApproval(effect, record, entry, row, (holds, what) =>
        claim(holds, `${slot}: an approval ${what}`),
      );
      return;
    case 'answer': {
      const answer = dataIn(row, 'AnswerReceived');
      const said = answer?.answers.find((one) => one.slot === entry.slot);
      claim(row?.stream === record.start.stream && answer !== undefined, `${slot} was answered elsewhere`);
      claim(entry.slot === slot && same(said?.value, entry.value), `${slot} was answered otherwise`);
      const newest = record.own.findLast((one) =>
        dataIn(one, 'AnswerReceived')?.answers.some((each) => each.slot === slot),
      );
      claim(newest?.event.id === id, `${slot} was answered again`);
      const asked = record.own.find(({ event }) => event.id === answer?.question);
      claim(
        dataIn(asked, 'QuestionAsked')?.slots.some((each) => each.slot === slot) === true,
        `${slot} was answered unasked`,
      );
      return;
    }
    case 'setting': {
      // One that a caller brings is in no log.
      if (id === null) {
        claim(entry.attested_by === 'caller', `${slot} is a setting of nobody's`);
        return;
      }
      const newest = record.past.findLast(({ stream }) => stream === row?.stream);
      claim(
        newest?.event.id === id && row?.type === 'SettingStored',
        `${slot} is a setting that was taken back`,
      );
      claim(same(dataIn(row, 'SettingStored')?.value, entry.value), `${slot} is set otherwise`);
      return;
    }
    case 'trigger': {
      claim(row?.type === 'TriggerFired' && row.stream === record.start.stream, `${slot}: no trigger fired`);
      const used = startsIn(record.own).some(({ position }) => position > (row?.position ?? 0));
      claim(!used, `${slot}: its trigger was used before`);
      return;
    }
    case 'notice': {
      const shown = dataIn(row, 'QuestionAsked')?.notices.includes(entry.text);
      claim(shown === true, `${slot}: the notice was never shown`);
      return;
    }
    default:
  }
}

/** RULES R9: of this request and this very tool, of the very values that were sent, asked, not taken back and not used up. */
function againstApproval(
  effect: Effect,
  { own, run, start, runRow }: StartRecord,
  entry: Extract<StartRecord['run']['entries'][number]['entry'], { kind: 'approval' }>,
  row: StoredRow | undefined,
  claim: Claim,
): void {
  const granted = dataIn(row, 'ApprovalGranted');
  claim(granted !== undefined && row !== undefined, 'that nobody granted');
  if (granted === undefined || row === undefined) return;
  claim(row.stream === start.stream && row.position < runRow.position, 'of another call');
  claim(granted.request === run.request, 'of another request');
  claim(granted.tool === run.tool.digest && entry.tool === granted.tool, 'of another tool');
  claim(same(granted.shown, entry.shown) && !entry.declined, 'that says something else');
  for (const { slot, value } of granted.shown) {
    if (!slot.startsWith('/')) continue;
    const shown = 'plain' in value ? value.plain : undefined;
    const sent = valueAt(effect.args, slot);
    claim(sent !== undefined && same(sent, shown), `of another value of ${slot}`);
  }
  const question = dataIn(
    own.find(({ event }) => event.id === granted.question),
    'QuestionAsked',
  );
  claim(
    question?.about === 'approval' && question.tool === granted.tool && same(question.shown, granted.shown),
    'of what was not shown',
  );
  claim(!startsIn(own).some(({ position }) => position > row.position), 'that an earlier start used up');
  const later = own.filter(({ position }) => position > row.position);
  claim(!later.some((one) => dataIn(one, 'ApprovalRevoked')?.approval === row.event.id), 'that was revoked');
  const slots = new Set(granted.shown.map(({ slot }) => slot));
  const declined = later.some((one) => {
    const no = dataIn(one, 'AnswerReceived');
    if (no?.declined !== true) return false;
    const about = dataIn(
      own.find(({ event }) => event.id === no.question),
      'QuestionAsked',
    );
    return about?.tool === granted.tool && about.shown.some(({ slot }) => slots.has(slot));
  });
  claim(!declined, 'that was declined');
}

function startsIn(rows: readonly StoredRow[]): StoredRow[] {
  return rows.filter(({ type }) => type === 'CallStarted');
}
