import { plainOf } from '../../events/content.ts';
import type { Claim, Lookup, LookupRequest, Outcome } from '../../events/lookup.ts';
import { TIMINGS } from '../../events/vocabulary.ts';
import { isVoided, livingApprovals } from '../approvals.ts';
import { measuredFor } from '../claimed-records.ts';
import { findIn, findWords, readJson, scanIn, typedSegments } from '../conversation.ts';
import { approvalHolds, isForTool } from '../entries.ts';
import { labelPlace, rangePlaces } from '../label-slots.ts';
import { unnegated } from '../negation.ts';
import { inEntry, inText } from '../places.ts';
import type { Span } from '../readers/reader.ts';
import { type Rules, rulesFor, type SlotRule } from '../rules-for.ts';
import { slotAt } from '../slot-list.ts';
import { slotReader } from '../slot-reader.ts';
import type { RunInput, Segment } from '../types.ts';
import { ABSENT, claim } from './claims.ts';
import { namedClaims, recordsOf } from './named.ts';

/**
 * Answers one request from what the run itself holds: its conversation and its entries. Audit asks it once and records
 * what it said; replay asks it again at the same position and compares.
 */
export function locate(run: RunInput, request: LookupRequest): Lookup {
  const rules = rulesFor(run);
  if ('fact' in request.subject) {
    return { request, by: 'locator', outcome: locateFact(run, rules, request, request.subject.fact) };
  }
  const slot = request.subject.slot;
  switch (request.source) {
    case 'user_answer':
      return { request, by: 'log', outcome: answerOf(run, rules, slot) };
    case 'instruction':
      return { request, by: 'locator', outcome: instructionOf(run, rules, request, slot) };
    case 'pre_set_data':
      return { request, by: 'locator', outcome: preSetOf(run, rules, request, slot) };
    case 'prior_state':
      return { request, by: 'log', outcome: priorOf(run, slot) };
    case 'measured_data':
      return { request, by: 'locator', outcome: { said: 'no_place' } };
  }
}

function locateFact(run: RunInput, rules: Rules, request: LookupRequest, id: string): Outcome {
  const fact = rules.facts.find((known) => known.id === id);
  if (fact === undefined) return { said: 'no_place' };
  const measured = measuredFor(run, rules, fact, request);
  if (measured === null) return { said: 'no_place' };
  switch (measured.said) {
    case 'records':
      return {
        also: measured.records.length,
        claims: measured.records.map((at) => ({ at })),
        said: 'claim',
      };
    case 'failed':
      return { code: measured.code, said: 'failed' };
    default:
      return { said: measured.said };
  }
}

/** The newest answer counts; an earlier one was superseded by it. */
function answerOf(run: RunInput, rules: Rules, slot: string): Outcome {
  if (!slot.startsWith('/')) {
    const place = labelPlace(run, rules, slot);
    return place === null ? ABSENT : claim([{ at: place }]);
  }
  for (let index = run.entries.length - 1; index >= 0; index--) {
    const entry = run.entries[index];
    if (entry?.kind === 'answer' && entry.slot === slot && isForTool(run, entry)) {
      const place = inEntry(index, '/value');
      return entry.none ? { place, said: 'nothing' } : claim([{ at: place }]);
    }
    if (entry?.kind === 'approval' && entry.tool === run.tool_digest && entry.declined) {
      const shown = entry.shown.findIndex((item) => item.slot === slot);
      if (shown >= 0) return claim([{ at: inEntry(index, '/declined') }]);
    }
  }
  return ABSENT;
}

function priorOf(run: RunInput, slot: string): Outcome {
  const claims: Claim[] = [];
  run.entries.forEach((entry, index) => {
    if (entry.kind !== 'baseline') return;
    entry.slots.forEach((item, position) => {
      if (item.slot === slot) claims.push({ at: inEntry(index, `/slots/${position}/value`) });
    });
  });
  return claim(claims);
}

function instructionOf(run: RunInput, rules: Rules, request: LookupRequest, slot: string): Outcome {
  if (slot === 'when') return claim(timingClaims(run, rules));
  if (slot === 'act') return claim(actClaims(run, rules));
  if (slot.startsWith('when/')) return detailOf(run, rules, slot);
  const { rule, leaf, reader } = slotAt(run, rules, slot);
  if (leaf === undefined) return ABSENT;
  if (Object.keys(request.key).length > 0) {
    return rule === undefined
      ? ABSENT
      : claim(namedClaims(run, rules, rule, leaf, recordsOf(request), 'typed'));
  }
  if (reader === null) return ABSENT;
  const found = textClaims(run, (segment) => findIn(run, rules, segment, reader, leaf), 0);
  if (found.length > 0) return claim(found);
  // Nothing reads as the proposed value: what a typed reader can read there shows the difference. RULES R8a.
  return claim(textClaims(run, (segment) => scanIn(run, rules, segment, reader) ?? [], 0));
}

/** Words of this tool's act come first; those of others only show that another act was asked for. */
function actClaims(run: RunInput, rules: Rules): Claim[] {
  const said = (words: readonly string[]) =>
    textClaims(run, (segment) => unnegated(segment, rules, findWords(segment, words)), run.request_from);
  const own = said(rules.actWords[run.tool.name] ?? []);
  return own.length > 0 ? own : said(rules.allActWords);
}

/** One place for each kind of timing that was said: two kinds must both be seen to be undecidable. */
function timingClaims(run: RunInput, rules: Rules): Claim[] {
  return TIMINGS.flatMap((kind) =>
    wordClaims(run, rules.timing[kind]?.words ?? [], run.request_from).slice(-1),
  );
}

function detailOf(run: RunInput, rules: Rules, slot: string): Outcome {
  const kind = slot.slice('when/'.length) as keyof Rules['timing'];
  const name = rules.timing[kind]?.detail;
  if (name === undefined) return { said: 'no_place' };
  const reader = slotReader(rules, { reader: name } as SlotRule, '');
  if (reader === null) return { said: 'no_place' };
  return claim(textClaims(run, (segment) => scanIn(run, rules, segment, reader) ?? [], run.request_from));
}

function wordClaims(run: RunInput, words: readonly string[], from: number): Claim[] {
  if (words.length === 0) return [];
  return textClaims(run, (segment) => findWords(segment, words), from);
}

function textClaims(run: RunInput, spansOf: (segment: Segment) => readonly Span[], from: number): Claim[] {
  const claims: Claim[] = [];
  for (const index of typedSegments(run)) {
    if (index < from) continue;
    for (const span of spansOf(run.segments[index] as Segment)) claims.push({ at: inText(index, span) });
  }
  return claims;
}

function preSetOf(run: RunInput, rules: Rules, request: LookupRequest, slot: string): Outcome {
  if (!slot.startsWith('/')) return claim(rangePlaces(run, rules, slot).map((at) => ({ at })));
  const { rule, leaf, reader } = slotAt(run, rules, slot);
  if (Object.keys(request.key).length > 0) {
    return rule === undefined || leaf === undefined
      ? ABSENT
      : claim(namedClaims(run, rules, rule, leaf, recordsOf(request), 'approved'));
  }
  const claims: Claim[] = [];
  let setting: Outcome | null = null;
  run.entries.forEach((entry, index) => {
    if (entry.kind === 'setting' && rule?.setting === entry.name) {
      const place = inEntry(index, '/value');
      setting = entry.none ? { place, said: 'nothing' } : claim([{ at: place }]);
    }
    if (entry.kind === 'approval' && approvalHolds(run, rules, index)) {
      entry.shown.forEach((item, position) => {
        if (item.slot !== slot || leaf === undefined || reader === null) return;
        const value = readJson(reader, plainOf(item.value), { at: run.now, zone: rules.zone });
        if (value !== undefined && reader.same(value, leaf)) {
          claims.push({ at: inEntry(index, `/shown/${position}/value`) });
        }
      });
    }
  });
  if (leaf !== undefined && reader !== null) {
    for (const exchange of livingApprovals(run, rules)) {
      const spans = findIn(run, rules, run.segments[exchange.shown] as Segment, reader, leaf);
      if (spans.length === 0 || isVoided(run, rules, exchange, reader, leaf)) continue;
      const by = inText(exchange.reply, exchange.word);
      for (const span of spans) claims.push({ at: inText(exchange.shown, span), by });
    }
  }
  return claims.length > 0 ? claim(claims) : (setting ?? ABSENT);
}
