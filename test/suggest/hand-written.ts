import type { Checklist } from '../../src/declarations/checklist.ts';
import type { ArgumentDraft, Draft } from '../../src/suggest/index.ts';

/** What a hand-written checklist rests one argument on, and what a draft suggests for it. */
export interface Comparison {
  readonly tool: string;
  readonly pattern: string;
  readonly hand: string;
  readonly suggested: string;
  readonly same: boolean;
  /** Also where only the first suggested field counts, and words and approvals agree only where no field is suggested beside. */
  readonly strictly: boolean;
}

interface Field {
  readonly tool: string;
  readonly path: string;
}

/** Every argument that the hand-written rules of a called tool name. */
export function compare(checklist: Checklist, draft: Draft): Comparison[] {
  return Object.entries(checklist.tools).flatMap(([tool, { slots }]) => {
    const drafted = draft.tools.find((one) => one.tool === tool);
    if (drafted === undefined || drafted.calls === 0) return [];
    return Object.keys(slots).map((pattern): Comparison => {
      const argument = drafted.arguments.find((one) => one.pattern === pattern);
      const hand = handSource(checklist, tool, pattern);
      const says = argument === undefined ? 'nothing' : said(argument);
      return {
        tool,
        pattern,
        hand:
          hand.fields.length > 0
            ? `${hand.kind} ${hand.fields.map(({ tool: by, path }) => by + path).join(', ')}`
            : hand.kind,
        suggested: says,
        same: argument !== undefined && agrees(hand, argument),
        strictly:
          argument !== undefined &&
          agrees(hand, narrowed(argument)) &&
          (hand.kind === 'measured' || hand.fields.length > 0 || argument.suggestion.measured.length === 0),
      };
    });
  });
}

interface Hand {
  readonly kind: 'said' | 'choice' | 'measured' | 'computed';
  /** For `measured`: any of these. For `computed`: fields that the computing condition reads. */
  readonly fields: readonly Field[];
}

/**
 * Equivalences, all of them:
 * - no `measured`: the user's words or an approval; of a `one_of` reader also a constant
 * - `measured`: each tool that measures the fact, with the path of the reference
 * - `select: member` without `measured`: the records of the groups that hold the argument
 * - `fixed_by`: computed; or, where the condition compares the argument with a field, that field of the tools that measure
 *   a fact which the condition reads (through `define`)
 */
function handSource(checklist: Checklist, tool: string, pattern: string): Hand {
  const slot = checklist.tools[tool]?.slots[pattern];
  if (slot === undefined) throw new Error(`${tool} ${pattern} has no rules`);
  if (slot.fixed_by !== undefined) {
    const source = expanded(checklist, checklist.tools[tool]?.conditions[slot.fixed_by]?.require ?? '');
    const name = pattern.split('/').at(-1) ?? '';
    const compared = new RegExp(
      `\\.${name} == args\\.${name}\\b|args\\.${name} == [\\w.[\\]]*\\.${name}\\b`,
    ).test(source);
    const facts = Object.keys(checklist.facts).filter((fact) => new RegExp(`\\b${fact}\\b`).test(source));
    const fields = compared ? facts.flatMap((fact) => fieldsOf(checklist, `${fact}#/${name}`)) : [];
    return { kind: 'computed', fields };
  }
  if (slot.measured.length > 0) {
    return { kind: 'measured', fields: slot.measured.flatMap((ref) => fieldsOf(checklist, ref)) };
  }
  const records = checklist.groups
    .filter(({ tools }) => tools === undefined || tools.includes(tool))
    .flatMap(({ records: all }) => all);
  const grouped = records.flatMap(({ fact, fields }) => {
    const field = fields[pattern];
    return field?.startsWith('record/') ? fieldsOf(checklist, fact + field.slice('record'.length)) : [];
  });
  if (slot.select === 'member' && grouped.length > 0) return { kind: 'measured', fields: grouped };
  const reader = checklist.readers[slot.reader];
  return { kind: reader !== undefined && 'one_of' in reader ? 'choice' : 'said', fields: [] };
}

function expanded(checklist: Checklist, source: string): string {
  let text = source;
  for (let round = 0; round < 4; round++) {
    for (const [name, part] of Object.entries(checklist.define)) {
      text = text.replaceAll(new RegExp(`\\b(?<![.])${name}\\b`, 'g'), `(${part})`);
    }
  }
  return text;
}

function fieldsOf(checklist: Checklist, ref: string): Field[] {
  const at = ref.indexOf('#');
  const fact = checklist.facts[ref.slice(0, at)];
  const path = ref.slice(at + 1);
  return (fact?.measured_by ?? []).map(({ tool, record }) => ({ tool, path: `${record}${path}` }));
}

function agrees(hand: Hand, { suggestion }: ArgumentDraft): boolean {
  const { source, measured } = suggestion;
  const atField = measured.some(({ tool, path }) =>
    hand.fields.some((one) => one.tool === tool && one.path === path),
  );
  if (hand.kind === 'measured') return atField;
  if (hand.kind === 'computed') return source === 'computed' || (source === 'measured' && atField);
  if (source === 'typed' || source === 'approved') return true;
  return hand.kind === 'choice' && source === 'constant';
}

function narrowed(argument: ArgumentDraft): ArgumentDraft {
  const { suggestion } = argument;
  return { ...argument, suggestion: { ...suggestion, measured: suggestion.measured.slice(0, 1) } };
}

function said({ suggestion: { source, measured } }: ArgumentDraft): string {
  return [source, ...measured.map(({ tool, path }) => tool + path)].join(' ');
}
