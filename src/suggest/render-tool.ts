import type { Json } from '../events/json.ts';
import { type ArgumentDraft, KINDS, type Kind, type Suggestion, type ToolDraft } from './draft.ts';
import { flow, guess, note, times } from './yaml-text.ts';

export function toolLines(tool: ToolDraft): string[] {
  const hint =
    tool.read_only_hint === null ? '' : `, its definition says readOnlyHint: ${tool.read_only_hint}`;
  const given =
    tool.values_given === 0
      ? ''
      : `, gave ${times(tool.values_given, 'value')} that other tools were called with`;
  const lines = [
    `  ${flow(tool.tool)}:`,
    // A key that changes nothing: a tool without any would be no mapping, and nothing could stand under it.
    '    ungated: {}',
    note(4, `${times(tool.calls, 'call')}${given}${hint}`),
  ];
  if (tool.looks_like_read) {
    lines.push(
      guess(4, 'reversible: true', 'its name reads; only who runs it knows that it changes nothing'),
    );
    return lines;
  }
  if (!tool.defined && tool.calls > 0) {
    lines.push(
      guess(
        4,
        'slots_from_proposal: true',
        'a reduction; better: give its definition, or write its schema here',
      ),
    );
  }
  if (tool.arguments.length > 0) lines.push(guess(4, 'slots:'));
  for (const argument of tool.arguments) lines.push(...argumentLines(argument));
  if (tool.sentences.length > 0) lines.push(note(4, 'conditions? Sentences of its description:'));
  for (const { text } of tool.sentences) lines.push(note(6, `- ${text}`));
  return lines;
}

const KIND_WORDS: Readonly<Record<Kind, string>> = {
  typed: 'typed',
  approved: 'shown and answered yes',
  shown: 'written by the agent',
  result: 'in results',
  prose: 'in prose results',
  argument: 'in arguments of earlier calls',
  system: 'in system messages',
  nowhere: 'nowhere',
};

function argumentLines(argument: ArgumentDraft): string[] {
  const { pattern, n, distinct, found, suggestion, empty } = argument;
  const places = KINDS.filter((kind) => found[kind] > 0).map((kind) => {
    const readers =
      kind === 'typed'
        ? ` (${argument.typed_by.map(({ reader, n: by }) => `${reader} ${by}`).join(', ')})`
        : '';
    return `${KIND_WORDS[kind]} ${found[kind]}${readers}`;
  });
  const different = distinct === null ? 'many different' : `${distinct} different`;
  const results = argument.results
    .slice(0, 4)
    .map(
      (ref) =>
        `${ref.tool} ${ref.path || '/'} ${ref.n}${ref.echo > 0 ? ` (${ref.echo} only repeat the request)` : ''}`,
    );
  return [
    note(
      6,
      `${pattern}: ${times(n, 'value')}, ${different}${empty > 0 ? `, ${empty} empty` : ''}: ${places.join(', ')}`,
    ),
    ...(results.length === 0 ? [] : [note(8, `in results of: ${results.join('; ')}`)]),
    ...argument.arguments
      .slice(0, 2)
      .map(({ tool, path, n: passed }) => note(8, `passed before to ${tool} ${path}: ${passed}`)),
    ...argument.examples.map(({ file, line, message, value, found: where }) =>
      note(8, `${JSON.stringify(value)} at ${file}:${line} message ${message}: ${where}`),
    ),
    ...advice(suggestion),
    guess(6, `${flow(pattern)}: ${flow(declaration(argument))}`, why(suggestion)),
  ];
}

/** What the line would declare. */
function declaration({ suggestion: { reader, measured, select, named_by } }: ArgumentDraft): Json {
  return {
    reader,
    ...(select === 'member' ? { select } : {}),
    ...(measured.length === 0 ? {} : { measured: measured.map(({ ref }) => ref) }),
    ...(named_by === null
      ? {}
      : {
          named_by: [
            {
              record: named_by.record,
              id: named_by.id,
              by: named_by.by.map(({ value }) => value),
              ...(Object.keys(named_by.words).length === 0 ? {} : { words: named_by.words }),
            },
          ],
        }),
  };
}

function why({ source, select, pooled, measured, named_by }: Suggestion): string {
  const parts = [
    source,
    ...measured.map(({ ref, n }) => `${ref} ${n}`),
    ...(named_by === null
      ? []
      : [`said by ${named_by.by.map(({ value, n }) => `${value} ${n}`).join(', ')}`]),
    ...(select === 'member' ? ['member is a reduction: one of several will do'] : []),
    ...(pooled ? ['few values: learned from the same argument of other tools too'] : []),
  ];
  return parts.join('; ');
}

function advice({ source, constant, alternatives }: Suggestion): string[] {
  const lines: string[] = [];
  if (source === 'constant') {
    lines.push(
      note(
        8,
        `always ${constant === null ? 'the same' : JSON.stringify(constant)}: a choice (one_of, with what people say for it), or a const of its schema?`,
      ),
    );
  }
  if (source === 'computed')
    lines.push(
      note(
        8,
        'no place holds it: computed? Then write the condition that gives it, and "fixed_by: <condition>" here',
      ),
    );
  if (source === 'unclear')
    lines.push(
      note(8, 'found nowhere much: who says it? Free text that nobody acts on may be ungated, with a reason'),
    );
  if (alternatives.length > 0) {
    lines.push(note(8, `held nearly as many: ${alternatives.map(({ ref, n }) => `${ref} ${n}`).join(', ')}`));
  }
  return lines;
}
