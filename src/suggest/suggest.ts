import type { ToolDeclaration } from '../declarations/tool.ts';
import type { Timing } from '../events/vocabulary.ts';
import { byCodeUnit } from '../gate/expand.ts';
import type { Conversation } from '../transcripts/index.ts';
import { actWordsOf } from './act-words.ts';
import { type Collected, collect, collected, type ToolTally } from './collect.ts';
import type { ArgumentDraft, Counted, Draft, GroupDraft, ReaderDraft, ToolDraft } from './draft.ts';
import { type Facts, factsFrom } from './facts.ts';
import { apart, joined } from './leaves.ts';
import { pool } from './pool.ts';
import { FEW, refsOf, suggestionOf } from './propose.ts';
import { readersFrom } from './reader-drafts.ts';
import { alike } from './shapes.ts';
import { type ArgumentTally, examplesOf, MOST } from './tally.ts';
import { conditionsIn, isReadName, TIMING_WORDS } from './words.ts';

export interface SuggestOptions {
  /** Up to three values of each argument, with their places. Default true; without them no value stands in the draft but choices and words. */
  readonly examples?: boolean;
}

/**
 * Drafts what a checklist could say, from transcripts and tool definitions: where each argument's values were found, which
 * tool and path would measure it, which reader fits, which sentences look like conditions. It declares nothing: a person
 * takes each guess or leaves it.
 *
 * Conversations are read one at a time and not held; what is counted is bounded. The same input gives the same draft.
 */
export function suggest(
  conversations: Iterable<Conversation>,
  tools: readonly ToolDeclaration[] = [],
  options: SuggestOptions = {},
): Draft {
  const all = collected(tools);
  for (const conversation of conversations) collect(all, conversation, options.examples ?? true);
  return draftOf(all, options.examples ?? true);
}

function draftOf(all: Collected, examples: boolean): Draft {
  const names = [...new Set([...all.tools.keys(), ...all.declared.keys()])].sort(byCodeUnit);
  const facts = factsFrom(all.keys, alike(all.shapes), all.shapes.keys(), (tool) => [
    ...(all.tools.get(tool)?.arguments.keys() ?? []),
  ]);
  const readers = readersFrom(all);
  const drafted = names.map((name) => toolDraft(name, all, facts, readers));
  const tooled = examples ? drafted : drafted.map(withoutConstants);
  const groups = groupDrafts(all, facts);
  const used = new Set<string>();
  for (const { arguments: args, looks_like_read } of tooled) {
    if (looks_like_read) continue;
    for (const { suggestion } of args) {
      for (const { ref } of suggestion.measured) used.add(ref.slice(0, ref.indexOf('#')));
      if (suggestion.named_by !== null)
        used.add(suggestion.named_by.record.slice(0, suggestion.named_by.record.indexOf('#')));
    }
  }
  for (const { records } of groups)
    for (const { fact } of records) used.add(fact.slice(0, fact.indexOf('#')));
  if (all.tools.size >= MOST.tools) all.notes.add('There are more tools than are counted.');
  return {
    schema: 1,
    conversations: all.conversations,
    calls: all.calls,
    unreadable_calls: all.unreadable,
    zone: all.zones.sorted()[0]?.[0] ?? null,
    now: all.now.sorted()[0]?.[0] ?? null,
    tool_errors: countedOf(all.errors.sorted()),
    intent: {
      yes: countedOf(all.yes.sorted()),
      no: countedOf(all.no.sorted()),
      timing: (Object.keys(TIMING_WORDS) as Timing[]).flatMap((kind) => {
        const words = countedOf(all.timing.get(kind)?.sorted() ?? []);
        return words.length === 0 ? [] : [{ kind, words }];
      }),
    },
    readers: readers.drafts,
    facts: facts.drafts(used),
    groups,
    tools: tooled,
    sentences: [...all.sentences].map(([text, { cue, n }]) => ({ text, cue, n })),
    notes: [...all.notes].sort(byCodeUnit),
  };
}

/** One value that all calls have may be one person's. */
function withoutConstants(tool: ToolDraft): ToolDraft {
  const hidden = tool.arguments.map((one) => ({ ...one, suggestion: { ...one.suggestion, constant: null } }));
  return { ...tool, arguments: hidden };
}

function countedOf(entries: readonly (readonly [string, number])[]): Counted[] {
  return entries.map(([value, n]) => ({ value, n }));
}

function toolDraft(
  name: string,
  all: Collected,
  facts: Facts,
  readers: { nameOf(tally: ArgumentTally): string | null; readonly drafts: readonly ReaderDraft[] },
): ToolDraft {
  const tally = all.tools.get(name);
  const declared = all.declared.get(name);
  const hint = declared?.annotations;
  const readOnly =
    hint !== null && typeof hint === 'object' && !Array.isArray(hint)
      ? (hint as { readOnlyHint?: unknown }).readOnlyHint
      : undefined;
  return {
    tool: name,
    calls: tally?.calls ?? 0,
    defined: declared !== undefined,
    looks_like_read: isReadName(name),
    values_given: valuesGiven(name, all),
    read_only_hint: typeof readOnly === 'boolean' ? readOnly : null,
    act_words: tally === undefined || isReadName(name) ? [] : actWordsOf(name, tally, all),
    arguments:
      tally === undefined
        ? []
        : [...tally.arguments.values()]
            // An empty array takes its element's declaration (RULES R7).
            .filter(
              ({ pattern }) => ![...tally.arguments.keys()].some((other) => other.startsWith(`${pattern}/*`)),
            )
            .sort((a, b) => byCodeUnit(a.pattern, b.pattern))
            .map((argument) => argumentDraft(name, argument, all, facts, readers.nameOf(argument))),
    sentences: conditionsIn(declared?.description ?? '').map((sentence) => ({ ...sentence, n: 1 })),
  };
}

function argumentDraft(
  tool: string,
  tally: ArgumentTally,
  all: Collected,
  facts: Facts,
  choices: string | null,
): ArgumentDraft {
  const others = tally.n < FEW && !isReadName(tool) ? sameElsewhere(tool, tally, all) : [];
  const from = others.length === 0 ? tally : pool(tally, others);
  return {
    pattern: tally.pattern,
    required: tally.required,
    n: tally.n,
    empty: tally.empty,
    distinct: tally.distinct.dropped > 0 ? null : tally.distinct.size,
    found: tally.found,
    typed_by: tally.typedBy.sorted().map(([reader, n]) => ({ reader, n })),
    results: refsOf(tally).slice(0, 8),
    arguments: tally.passed
      .sorted()
      .slice(0, 5)
      .map(([id, n]) => {
        const [from, path] = apart(id);
        return { tool: from, path, n };
      }),
    examples: examplesOf(tally),
    suggestion: suggestionOf(from, facts, others.length > 0, choices),
  };
}

/** The argument of the same name and place of other gated tools. */
function sameElsewhere(tool: string, tally: ArgumentTally, all: Collected): ArgumentTally[] {
  return [...all.tools]
    .filter(([name]) => name !== tool && !isReadName(name))
    .sort(([a], [b]) => byCodeUnit(a, b))
    .flatMap(([, other]: [string, ToolTally]) => other.arguments.get(tally.pattern) ?? []);
}

function valuesGiven(name: string, all: Collected): number {
  let n = 0;
  for (const [tool, { arguments: args }] of all.tools) {
    if (tool === name || isReadName(tool)) continue;
    for (const { refs } of args.values()) {
      for (const [id, ref] of refs) if (apart(id)[0] === name) n += ref.n - ref.echo;
    }
  }
  return n;
}

const BOUND = 0.3;

function groupDrafts(all: Collected, facts: Facts): GroupDraft[] {
  const drafts = new Map<
    string,
    GroupDraft & { tools: string[]; records: GroupDraft['records'][number][] }
  >();
  for (const [tool, groups] of [...all.groups].sort(([a], [b]) => byCodeUnit(a, b))) {
    for (const { of, elements, unequal, records } of groups.values()) {
      const usual = records
        .sorted()
        .filter(([, n]) => n > 1 && n >= elements * BOUND)
        .slice(0, 3);
      if (usual.length === 0 || unequal > 0) continue;
      const id = joined(...of);
      const draft = drafts.get(id) ?? { of, tools: [], records: [], elements: 0 };
      drafts.set(id, { ...draft, elements: draft.elements + elements });
      draft.tools.push(tool);
      for (const [json, n] of usual) {
        const {
          tool: measure,
          record,
          fields,
        } = JSON.parse(json) as { tool: string; record: string; fields: Record<string, string> };
        const fact = `${facts.nameOf(measure)}#${record}`;
        const known = draft.records.findIndex(
          (one) => one.fact === fact && JSON.stringify(one.fields) === JSON.stringify(fields),
        );
        const before = draft.records[known];
        if (before === undefined) draft.records.push({ tool: measure, fact, fields, n });
        else draft.records[known] = { ...before, n: before.n + n };
      }
    }
  }
  return [...drafts.values()];
}
