import { isTyped } from '../gate/conversation.ts';
import type { RunInput } from '../gate/index.ts';
import { rulesFor } from '../gate/rules-for.ts';
import type { Judged } from '../preflight/judge.ts';

/** What whoever runs the gateway should know of a refusal: the user and the agent can't mend it. */
export interface ForOperator {
  readonly notes: readonly string[];
  /** No reply of the user's makes this tool run, so none is asked for. */
  readonly deadEnd: boolean;
}

/**
 * Why a call is refused that no question settles, or that a host brought without saying what its user typed. It says so of the
 * tool that was proposed and names none, so that nothing in it suggests another. RULES R14.
 *
 * @param listed whether the server lists the tool
 * @param hooks whether a hook could still say that the user's words mean it
 */
export function forOperator(
  { input, verdict }: Judged,
  { listed, hooks }: { readonly listed: boolean; readonly hooks: boolean },
): ForOperator {
  if (!listed) return { notes: [UNLISTED], deadEnd: true };
  // Once it is settled that this tool is meant, its values can be given whoever declared it.
  if (verdict.slots !== null || !isUndetermined(verdict.kind)) return { notes: [], deadEnd: false };
  const undeclared = noWordsMean(input);
  const notes = [...(undeclared === null ? [] : [undeclared]), ...(nothingTyped(input) ? [UNTYPED] : [])];
  return { notes, deadEnd: undeclared !== null && !hooks };
}

const UNLISTED = 'The server lists no tool of this name, so nothing that the user says makes it run.';
const UNDECLARED =
  'No checklist declares this tool: whoever runs the gateway declares it under `tools`, with its `act_words`.';
const WORDLESS =
  'No checklist declares words that ask for this tool: whoever runs the gateway declares its `act_words`.';
const UNTYPED =
  'The host said of nothing in this request that the user typed it: it brings that under _meta["grounds/context"].segments, with author "user" and typed true.';

function isUndetermined(kind: string): boolean {
  return kind === 'intent_undetermined' || kind === 'tool_undetermined';
}

/** null: some declared word, or the user's own name for it, can mean this tool. */
function noWordsMean(run: RunInput): string | null {
  const { actWords, singleTool } = rulesFor(run);
  const { name } = run.tool;
  const own = run.entries.some((entry) => entry.kind === 'tool_name' && entry.tool === name);
  if (singleTool !== null || own || (actWords[name] ?? []).length > 0) return null;
  return run.checklists.some(({ body }) => Object.hasOwn(body.tools, name)) ? WORDLESS : UNDECLARED;
}

function nothingTyped({ segments, request_from }: RunInput): boolean {
  return !segments.slice(request_from).some(isTyped);
}
