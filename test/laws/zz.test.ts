import fc from 'fast-check';
import { test } from 'vitest';
import { drive, step } from '../../src/gate/index.ts';
import { opinionOf } from './reference.ts';
import { answerIn, worlds } from './worlds.ts';

test('probe', () => {
  const n: Record<string, number> = {};
  const ex: Record<string, string> = {};
  const add = (k: string, e: string) => {
    n[k] = (n[k] ?? 0) + 1;
    ex[k] ??= e;
  };
  const only = (s: {
    slot: string;
    state: string;
    reason: string;
    route?: unknown;
    source?: unknown;
    origin?: unknown;
    pending?: unknown;
  }) =>
    s.state === 'unknown'
      ? `unknown ${s.reason} ${s.route} ${s.pending}`
      : s.state === 'null'
        ? `null ${s.reason}`
        : `known ${s.reason} ${s.source} ${s.origin}`;
  for (const w of fc.sample(worlds, { numRuns: Number(process.env.N ?? 800), seed: 5 })) {
    const a = answerIn(w);
    let o;
    try {
      o = opinionOf(w.run, a);
    } catch (e) {
      add('REF THROW ' + (e as Error).stack?.split('\n').slice(0, 3).join(' | '), '');
      continue;
    }
    let v;
    try {
      v = drive(step, w.run, a).verdict;
    } catch (e) {
      add('GATE THROW ' + (e as Error).stack?.split('\n').slice(0, 3).join('|'), '');
      continue;
    }
    const info = JSON.stringify({ h: w.hostility !== null });
    if (v.kind !== o.kind) add(`kind gate ${v.kind} ref ${o.kind}`, info);
    const gs = new Map((v.slots ?? []).map((s) => [s.slot, only(s)]));
    const rs = new Map((o.slots ?? []).map((s) => [s.slot, only(s)]));
    if ((v.slots === null) === (o.slots === null))
      for (const k of new Set([...gs.keys(), ...rs.keys()]))
        if (gs.get(k) !== rs.get(k)) add(`SLOT gate ${gs.get(k)}  REF ${rs.get(k)}`, `${k} ${info}`);
    const gi = v.intent.map((s) => s.slot + ' ' + only(s)).join(';'),
      ri = o.intent.map((s) => s.slot + ' ' + only(s)).join(';');
    if (gi !== ri) add(`INTENT gate ${gi} REF ${ri}`, info);
    const gu = v.unmet
        .map((u) => u.slot + ' ' + u.reason)
        .sort()
        .join(),
      ru = [...o.unmet].sort().join();
    if (gu !== ru && v.slots && o.slots) add(`UNMET gate ${gu} REF ${ru}`, info);
    const gn = v.not_run
        .map((u) => u.slot + ' ' + u.reason)
        .sort()
        .join(),
      rn = [...o.not_run].sort().join();
    if (gn !== rn && v.slots && o.slots) add(`NOTRUN gate ${gn} REF ${rn}`, info);
    const gr = v.reductions
        .map((u) => u.kind + ' ' + (u.slot ?? ''))
        .sort()
        .join(),
      rr = [...o.reductions].sort().join();
    if (gr !== rr && (v.slots === null) === (o.slots === null)) add(`RED gate ${gr} REF ${rr}`, info);
  }
  console.log(
    Object.entries(n)
      .sort((a, b) => b[1] - a[1])
      .map(([k, c]) => `${c}\t${k}   e.g. ${ex[k]}`)
      .join('\n'),
  );
});
