import { Zone } from '../declarations/checklist.ts';
import type { Counted, Draft, FactDraft, GroupDraft, Sentence } from './draft.ts';
import { toolLines } from './render-tool.ts';
import { isToolName, TIMING_DETAIL } from './words.ts';
import { flow, guess, note, times } from './yaml-text.ts';

export interface RenderOptions {
  /** The checklist's name. Default `draft/policy`. */
  readonly name?: string;
}

/**
 * A draft as a checklist file that loads as it is and declares nothing but the names of the tools. Each guess is a line
 * after `# `: taking that away, with the line that it stands under, declares it. Lines after `##` say what was counted.
 */
export function renderDraft(draft: Draft, options: RenderOptions = {}): string {
  const tools = draft.tools.filter(({ tool }) => isToolName(tool));
  const unnamed = draft.tools.filter(({ tool }) => !isToolName(tool));
  const lines = [
    ...head(draft),
    'grounds: 1',
    `checklist: ${flow(options.name ?? 'draft/policy')}`,
    'declared_by: system',
    ...clock(draft),
    '',
    ...intent(draft),
    ...readers(draft),
    ...facts(draft.facts),
    ...groups(draft.groups),
    tools.length === 0 ? 'tools: {}' : 'tools:',
    ...tools.flatMap((tool) => ['', ...toolLines(tool)]),
    ...unnamed.map(({ tool, calls }) =>
      note(0, `left out, no name that a checklist can hold: ${tool} (${times(calls, 'call')})`),
    ),
    ...policy(draft.sentences),
  ];
  return `${lines.join('\n')}\n`;
}

function head(draft: Draft): string[] {
  const unreadable = draft.unreadable_calls > 0 ? `, ${draft.unreadable_calls} of them unreadable` : '';
  return [
    note(
      0,
      `A draft, from ${times(draft.conversations, 'conversation')} with ${times(draft.calls, 'call')}${unreadable}.`,
    ),
    note(
      0,
      'Nothing is declared here but the names of the tools. A line that begins with "# " is a guess: where it is right, take the',
    ),
    note(
      0,
      '"# " away, and of the line that it stands under. Lines with "##" say what was counted: the different values of each',
    ),
    note(
      0,
      'conversation. A count says where values stood, not that they were meant; examples may hold data of persons.',
    ),
    ...draft.notes.map((text) => note(0, text)),
  ];
}

function clock(draft: Draft): string[] {
  const zone = draft.zone !== null && Zone.safeParse(draft.zone).success ? draft.zone : null;
  return [
    ...(zone === null ? [] : [guess(0, `zone: ${flow(zone)}`)]),
    ...(draft.now === null ? [] : [guess(0, `now: ${flow({ author: 'system', after: draft.now })}`)]),
    ...(draft.tool_errors.length === 0
      ? []
      : [
          guess(
            0,
            `tool_errors: ${words(draft.tool_errors)}`,
            `prose results that begin so: ${counted(draft.tool_errors)}`,
          ),
        ]),
  ];
}

function intent({ intent: { yes, no, timing }, tools }: Draft): string[] {
  const acts = tools.filter(({ tool, act_words }) => isToolName(tool) && act_words.length > 0);
  return [
    guess(0, 'intent:'),
    guess(2, 'unmarked_timing: immediate', 'a reduction: words without timing mean now'),
    ...(timing.length === 0 ? [] : [guess(2, 'timing:')]),
    ...timing.map(({ kind, words: found }) => {
      const detail = kind === 'immediate' ? {} : { detail: TIMING_DETAIL[kind] };
      return guess(
        4,
        `${kind}: ${flow({ words: found.map(({ value }) => value), ...detail })}`,
        `typed: ${counted(found)}`,
      );
    }),
    ...(acts.length === 0 ? [] : [guess(2, 'act_words:')]),
    ...acts.map(({ tool, act_words }) =>
      guess(
        4,
        `${flow(tool)}: ${flow(act_words.map(({ word }) => word))}`,
        act_words
          .map(({ word, n, of, lift }) => `${word} ${n}/${of}${lift === null ? '' : ` ×${lift}`}`)
          .join(', '),
      ),
    ),
    ...(yes.length === 0 ? [] : [guess(2, `yes: ${words(yes)}`, `replies to the agent: ${counted(yes)}`)]),
    ...(no.length === 0 ? [] : [guess(2, `no: ${words(no)}`, counted(no))]),
    '',
  ];
}

function readers({ readers: drafts }: Draft): string[] {
  if (drafts.length === 0) return [];
  return [
    guess(0, 'readers:'),
    ...drafts.flatMap(({ name, values }) => [
      guess(
        2,
        `${flow(name)}: ${flow({ one_of: Object.fromEntries(values.map(({ value, words: said }) => [value, said])) })}`,
        `add what people say; used: ${counted(values)}`,
      ),
    ]),
    '',
  ];
}

function facts(drafts: readonly FactDraft[]): string[] {
  if (drafts.length === 0) return [];
  return [
    guess(0, 'facts:'),
    ...drafts.flatMap(({ name, take, measured_by, stale_after }) => [
      ...(take === 'all'
        ? [
            note(
              2,
              `${name}: nothing was found to key it by, so any result of the tool counts. Look for a key.`,
            ),
          ]
        : []),
      guess(2, `${name}:`),
      ...(take === 'all' ? [guess(4, 'take: all')] : []),
      guess(4, 'measured_by:'),
      ...measured_by.map(({ tool, match, n, of }) =>
        guess(
          6,
          `- ${flow(Object.keys(match).length === 0 ? { tool } : { tool, match })}`,
          of === 0 ? (take === 'all' ? '' : 'its results look the same') : `agreed in ${n} of ${of}`,
        ),
      ),
      ...(stale_after.length === 0
        ? []
        : [guess(4, 'stale_after:'), ...stale_after.map((stale) => guess(6, `- ${flow(stale)}`))]),
    ]),
    '',
  ];
}

function groups(drafts: readonly GroupDraft[]): string[] {
  if (drafts.length === 0) return [];
  return [
    guess(0, 'groups:'),
    ...drafts.flatMap(({ of, tools, records, elements }) => [
      guess(2, `- of: ${flow(of)}`, `${times(elements, 'element')}`),
      guess(4, `tools: ${flow(tools)}`),
      guess(4, 'records:'),
      ...records.map(({ fact, fields, n }) => guess(6, `- ${flow({ fact, fields })}`, `held ${n} whole`)),
    ]),
    '',
  ];
}

function policy(sentences: readonly Sentence[]): string[] {
  if (sentences.length === 0) return [];
  return [
    '',
    note(0, 'Sentences of system messages that look like conditions, each to be written as one:'),
    note(
      0,
      '    name: { says: "the sentence", require: … }  under conditions: of the tools that it is about',
    ),
    ...sentences.map(({ text, n }) => note(0, `- ${text}${n > 1 ? ` (${n}×)` : ''}`)),
  ];
}

function words(found: readonly Counted[]): string {
  return flow(found.map(({ value }) => value));
}

function counted(found: readonly Counted[]): string {
  return found.map(({ value, n }) => `${value} ${n}`).join(', ');
}
