import type { Checklist } from '../../src/declarations/checklist.ts';
import { digestOf } from '../../src/events/digest.ts';
import type { Json } from '../../src/events/json.ts';
import type { Segment } from '../../src/events/segment.ts';
import type { ToolDeclaration } from '../../src/events/tool.ts';
import { drive, locate, type RunInput } from '../../src/gate/index.ts';
import type { Declared } from '../../src/runs/declared.ts';
import { type World, worldOf } from '../laws/worlds.ts';

/** What a story is told with: a world of the laws, and what its declarations may become. */
export interface Scenery {
  readonly world: World;
  /** What the user and the tools say at the beginning of a request; the first: as the world has it, the others: of later. */
  readonly beginnings: readonly [readonly Segment[], ...(readonly Segment[])[]];
  readonly proposed: Json;
  /** The tool as it may be declared, the first is the world's own; then another one. */
  readonly tools: readonly [ToolDeclaration, ...ToolDeclaration[]];
  readonly other: ToolDeclaration;
  /** The checklists as they may be declared, the first are the world's own. */
  readonly checklists: readonly [Declared['checklists'], ...Declared['checklists'][]];
}

/** Worlds that are looked through for one in which something can come of a call. */
const TRIES = 6;

/** `promising`: where asking and measuring may lead to a call that runs; else whatever comes. */
export function sceneryOf(numbers: readonly number[], promising: boolean): Scenery {
  let scenery = sceneryIn(worldOf(numbers));
  for (let tries = 1; promising && tries < TRIES && !isPromising(scenery); tries++) {
    const [faith = 0, ...rest] = numbers;
    const turned = rest.map((_, index) => rest[(index + tries * 17) % rest.length] as number);
    scenery = sceneryIn(worldOf([faith, ...turned]));
  }
  return scenery;
}

function isPromising({ world, tools, checklists }: Scenery): boolean {
  const run: RunInput = {
    ...world.run,
    phase: 'at_trigger',
    attempts: { intent: 0, tool: 0 },
    tool: tools[0],
    checklists: checklists[0],
    entries: [],
    action_key: 'ok',
    request_from: 0,
  };
  const { verdict } = drive(run, (request) => locate(run, request));
  if (verdict.kind !== 'unknown') return verdict.kind === 'executable' || verdict.kind === 'schedulable';
  return (verdict.slots ?? []).every(
    (state) => state.state !== 'unknown' || state.route !== 'definition_repair',
  );
}

function sceneryIn(world: World): Scenery {
  const { tool, segments, proposal, checklists } = world.run;
  const own = checklists.map(({ body }) => declared(withEveryTiming(body)));
  const told = tool.description ?? 'Sends money.';
  const prepared = proposal?.prepared;
  return {
    world,
    beginnings: [
      segments,
      inOtherWords(segments, 'later, on 2024-05-20'),
      inOtherWords(segments, 'every week, on 2024-05-20'),
      inOtherWords(segments, 'once it drops below $7'),
    ],
    proposed: prepared != null && 'plain' in prepared ? prepared.plain : { from: 'A1', amount: 100 },
    tools: [
      tool,
      { ...tool, description: `${told} At once.` },
      { ...tool, description: `${told}\n[Verify] final: It can not be undone.` },
      { ...tool, description: `${told}\n[Notice] fee: A fee applies.` },
    ],
    other: { ...tool, name: 'close', description: null },
    checklists: [
      own,
      own.map(({ body }, index) => declared(index === 0 ? { ...body, written_by: 'legal' } : body)),
    ],
  };
}

function declared(body: Checklist): Declared['checklists'][number] {
  return { digest: digestOf(body), body };
}

/** Where timings are declared at all, again and again is one of them. */
function withEveryTiming(body: Checklist): Checklist {
  const { timing } = body.intent;
  if (Object.keys(timing).length === 0) return body;
  return {
    ...body,
    intent: { ...body.intent, timing: { ...timing, recurring: { words: ['every week'], detail: 'date' } } },
  };
}

function inOtherWords(segments: readonly Segment[], when: string): Segment[] {
  return segments.map((segment) => {
    const said = 'plain' in segment.body ? segment.body.plain : null;
    return typeof said === 'string' && segment.author === 'user'
      ? { ...segment, body: { plain: said.replace(/now\.$/, `${when}.`) } }
      : segment;
  });
}
