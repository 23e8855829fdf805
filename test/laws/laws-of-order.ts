import { encode } from '../../src/events/canonical.ts';
import type { Json } from '../../src/events/json.ts';
import { step } from '../../src/gate/index.ts';
import type { RunInput } from '../../src/gate/types.ts';
import { frozen } from '../frozen.ts';
import { bytesOf, copyOf, judged, type Law, must, sameBytes, turned } from './law.ts';
import { answerIn, type World, worldOf } from './worlds.ts';

const OTHER = worldOf(Array.from({ length: 200 }, (_, index) => (index * 37) % 101));

/** Names that a careless object walk trips over. */
const AWKWARD = '{"10":"A1","9":"B2","__proto__":"C3","constructor":"A1"}';

function withAwkwardKeys(run: RunInput): RunInput {
  const prepared = run.proposal?.prepared;
  if (prepared == null || !('plain' in prepared) || typeof prepared.plain !== 'object') return run;
  const inner = JSON.stringify(prepared.plain).slice(1, -1);
  const plain = JSON.parse(`{${inner}${inner === '' ? '' : ','}${AWKWARD.slice(1)}`) as Json;
  const segments = run.segments.map((segment) => {
    const body = 'plain' in segment.body ? segment.body.plain : null;
    if (segment.observes === null || typeof body !== 'object' || body === null) return segment;
    const result = JSON.parse(`${JSON.stringify(body).slice(0, -1)},${AWKWARD.slice(1)}`) as Json;
    return { ...segment, body: { plain: result } };
  });
  return { ...run, segments, proposal: { received: null, prepared: { plain } } };
}

function poisoned<T>(body: () => T): T {
  const real = { now: Date.now, random: Math.random, zone: process.env.TZ, lang: process.env.LANG };
  const bang = (): never => {
    throw new Error('The gate looked at the clock or at chance.');
  };
  Date.now = bang;
  Math.random = bang;
  process.env.TZ = 'Pacific/Chatham';
  process.env.LANG = 'tr_TR.UTF-8';
  try {
    return body();
  } finally {
    Date.now = real.now;
    Math.random = real.random;
    restore('TZ', real.zone);
    restore('LANG', real.lang);
  }
}

function restore(name: 'TZ' | 'LANG', value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

/** Laws of sameness: what may not matter does not. */
export const ORDER_LAWS: readonly Law[] = [
  {
    id: 1,
    title: 'The same run gives the same bytes, whatever else was judged between',
    runs: 60,
    check: (world) => {
      const first = judged(world).verdict;
      judged(OTHER);
      sameBytes(first, judged(world).verdict);
      // A copy shares no memo with the original.
      sameBytes(first, judged({ ...world, run: copyOf(world.run) }).verdict);
    },
  },
  {
    id: 2,
    title: 'The gate works on frozen input and changes nothing',
    runs: 60,
    check: (world) => {
      const run = frozen(copyOf(world.run));
      const before = JSON.stringify(run);
      const answer = answerIn(world, run);
      const { verdict } = judged(world, run, (request) => frozen(answer(frozen(request))));
      sameBytes(verdict, judged(world).verdict);
      must(JSON.stringify(run) === before, () => 'changed');
    },
  },
  {
    id: 3,
    title: 'The order of keys never matters, at any depth',
    runs: 50,
    check: (world) => {
      const run = withAwkwardKeys(copyOf(world.run));
      sameBytes(judged(world, run).verdict, judged(world, turned(run)).verdict);
      sameBytes(judged(world).verdict, judged(world, turned(world.run)).verdict);
    },
  },
  {
    id: 4,
    title:
      'The order in which lookups arrive never matters, none is asked for twice, and a need is never empty',
    runs: 200,
    check: (world) => {
      const answer = answerIn(world);
      const given = [];
      const seen = new Set<string>();
      for (let rounds = 0; rounds < 200; rounds++) {
        const next = step(world.run, given);
        if ('verdict' in next) {
          for (const order of [given, [...given].reverse(), [...given.slice(1), ...given.slice(0, 1)]]) {
            const again = step(world.run, order);
            must('verdict' in again && bytesOf(again.verdict) === bytesOf(next.verdict), () => [next, again]);
            must('verdict' in again && encode(again.asked) === encode(next.asked), () => [next, again]);
          }
          // Answers that nobody asks for do not matter either.
          const stray = {
            request: { subject: { slot: '/nobody' }, source: 'instruction' as const, key: {} },
          };
          const more = step(world.run, [...given, { ...stray, by: 'hook', outcome: { said: 'absent' } }]);
          must('verdict' in more && bytesOf(more.verdict) === bytesOf(next.verdict), () => [next, more]);
          return;
        }
        must(next.need.length > 0, () => 'an empty need');
        for (const request of next.need) {
          must(!seen.has(encode(request)), () => ({ again: request }));
          seen.add(encode(request));
          given.push(answer(request));
        }
      }
      must(false, () => 'no end');
    },
  },
  {
    id: 5,
    title: 'A round trip of the input through JSON changes nothing',
    runs: 60,
    check: (world) => {
      const { verdict, lookups } = judged(world);
      const again = step(copyOf(world.run), copyOf(lookups));
      must('verdict' in again, () => again);
      if ('verdict' in again) sameBytes(verdict, again.verdict);
    },
  },
  {
    id: 6,
    title: 'A verdict is in canonical form: reading and writing it again gives the same bytes',
    runs: 60,
    check: (world) => {
      const { verdict } = judged(world);
      must(encode(JSON.parse(encode(verdict))) === encode(verdict), () => verdict);
    },
  },
  {
    id: 12,
    title: 'Clock, zone, locale and chance do not matter',
    runs: 50,
    check: (world) => {
      const run = copyOf(world.run);
      sameBytes(
        judged(world).verdict,
        poisoned(() => judged(world, run).verdict),
      );
    },
  },
  {
    id: 15,
    title: 'A lookup is either needed, or dropping it changes nothing',
    runs: 80,
    check: (world: World) => {
      const { verdict, lookups } = judged(world);
      for (const dropped of lookups) {
        const next = step(
          world.run,
          lookups.filter((lookup) => lookup !== dropped),
        );
        if ('verdict' in next) sameBytes(verdict, next.verdict);
        else must(encode(next.need) === encode([dropped.request]), () => ({ dropped, next }));
      }
    },
  },
  {
    id: 24,
    title: 'That the user chose the tool again changes nothing',
    runs: 40,
    check: (world) => {
      const verdicts = [true, false].map((flag) => {
        const run = { ...copyOf(world.run), tool_reselected_by_user: flag };
        return judged(world, run).verdict;
      });
      for (const verdict of verdicts) sameBytes(judged(world).verdict, verdict);
    },
  },
];
