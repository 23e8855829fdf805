import { readFileSync } from 'node:fs';
import { auditCalls, type Declared, toolTable } from '../../src/audit/runs.ts';
import type { Checklist } from '../../src/declarations/checklist.ts';
import { plainOf } from '../../src/events/content.ts';
import { digestOf } from '../../src/events/digest.ts';
import { isArray, isObject, type Json } from '../../src/events/json.ts';
import type { Verdict } from '../../src/events/verdict.ts';
import { readTranscripts } from '../../src/transcripts/index.ts';

/** One write of a benchmark run, with what the gate found and what others say of it. */
export interface Write {
  readonly line: number;
  readonly message: number;
  readonly tool: string;
  readonly args: Json;
  readonly verdict: Verdict;
  /** Equals one of the run's expected actions exactly (without withdrawn ones). */
  readonly right: boolean;
  readonly toolError: boolean;
  /** "The value occurs somewhere" in what came before: the control. */
  readonly occurs: boolean;
  /** An explicit yes in the typed message right before. */
  readonly confirmed: boolean;
}

interface Expected {
  readonly name: string;
  readonly kwargs: Json;
}

export function writesOf(file: string, checklist: Checklist, withdrawn: readonly Expected[]): Write[] {
  const declared: Declared = {
    checklists: [{ digest: digestOf(checklist), body: checklist }],
    unsound: [],
    tools: new Map(),
    gate: `sha256:${'0'.repeat(64)}`,
    ruleset: 'standard',
  };
  const tools = toolTable(declared);
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const gone = new Set(withdrawn.map((action) => digestOf({ kwargs: action.kwargs, name: action.name })));
  const writes: Write[] = [];
  for (const conversation of readTranscripts(file)) {
    const line = conversation.origin.line;
    const run = JSON.parse(lines[line - 1] as string) as { info: { task: { actions: Expected[] } } };
    const expected = new Set(
      run.info.task.actions
        .map((action) => digestOf({ kwargs: action.kwargs, name: action.name }))
        .filter((digest) => !gone.has(digest)),
    );
    for (const audited of auditCalls(conversation, declared, tools)) {
      if (audited.driven === null) continue;
      const { call, run: input } = audited;
      const args = call.arguments.value ?? {};
      const result = call.result === null ? null : conversation.segments[call.result]?.segment;
      const body = result === null || result === undefined ? null : plainOf(result.body);
      const before = JSON.stringify(input.segments.map((segment) => segment.body));
      const last = input.segments.findLast((segment) => segment.author !== 'tool');
      const lastText = last === undefined ? null : plainOf(last.body);
      writes.push({
        line,
        message: call.message,
        tool: call.tool,
        args,
        verdict: audited.driven.verdict,
        right: expected.has(digestOf({ kwargs: args, name: call.tool })),
        toolError: typeof body === 'string' && body.startsWith('Error'),
        occurs: leaves(args).every((leaf) => before.includes(JSON.stringify(leaf).replace(/^"|"$/g, ''))),
        confirmed:
          last?.typed === true &&
          typeof lastText === 'string' &&
          /^\W*(yes|yeah|sure|please proceed|go ahead)\b/i.test(lastText),
      });
    }
  }
  return writes;
}

function leaves(value: Json): Json[] {
  if (isArray(value)) return value.length === 0 ? [value] : value.flatMap(leaves);
  if (isObject(value)) return Object.values(value).flatMap(leaves);
  return [value];
}
