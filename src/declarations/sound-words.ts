import { BUILT_IN_READERS } from './built-in-readers.ts';
import type { ReaderSpec } from './checklist.ts';
import { nearest } from './nearest.ts';
import type { Scope } from './soundness.ts';

/** Intent words and readers: each word has one meaning, each reader a name of its own. */
export function unsoundWords(scope: Scope): void {
  const { checklist, report } = scope;
  const { intent } = checklist;
  blankWords(scope, ['intent', 'yes'], intent.yes);
  blankWords(scope, ['intent', 'no'], intent.no);
  blankWords(scope, ['intent', 'negations'], intent.negations ?? []);
  blankWords(scope, ['tool_errors'], checklist.tool_errors);
  const yes = new Set(intent.yes.map(foldPhrase));
  intent.no.forEach((word, i) => {
    if (yes.has(foldPhrase(word))) {
      report(
        ['intent', 'no', i],
        'words/yes_and_no',
        `"${word}" stands under yes too.`,
        'Remove it from one of them.',
      );
    }
  });
  for (const [tool, words] of Object.entries(intent.act_words)) {
    blankWords(scope, ['intent', 'act_words', tool], words);
    reportMisspelt(scope, tool, ['intent', 'act_words', tool]);
  }
  checklist.groups.forEach((group, i) => {
    for (const [j, tool] of (group.tools ?? []).entries())
      reportMisspelt(scope, tool, ['groups', i, 'tools', j]);
  });
  for (const [kind, timing] of Object.entries(intent.timing)) {
    const at = ['intent', 'timing', kind];
    blankWords(scope, [...at, 'words'], timing.words);
    if (kind === 'immediate') {
      if (timing.detail === undefined) continue;
      report([...at, 'detail'], 'timing/detail', 'immediate has no time to be found.', 'Remove "detail".');
    } else if (timing.detail === undefined) {
      const hint = 'Add "detail:", the reader that finds it, for example datetime.';
      report(at, 'timing/detail', `${kind} needs the time, event or threshold in the user's words.`, hint);
    } else {
      readerExists(scope, timing.detail, [...at, 'detail']);
    }
  }
  for (const [name, reader] of Object.entries(checklist.readers)) {
    const at = ['readers', name];
    if ((BUILT_IN_READERS as readonly string[]).includes(name)) {
      report(at, 'reader/built_in', `"${name}" is a built-in reader.`, 'Give yours another name.');
    }
    readerWords(scope, reader, at);
  }
}

/** Reports a reader that is neither built in nor declared. */
export function readerExists(scope: Scope, name: string, path: readonly (string | number)[]): void {
  if ((BUILT_IN_READERS as readonly string[]).includes(name) || scope.readers.includes(name)) return;
  if (!scope.complete) return;
  const known = [...BUILT_IN_READERS, ...scope.readers];
  const near = nearest(name, known);
  const hint =
    near === undefined
      ? `Declare it under readers, or use one of ${known.join(', ')}.`
      : `Did you mean "${near}"?`;
  scope.report(path, 'reader/unknown', `There is no reader "${name}".`, hint);
}

function readerWords(scope: Scope, reader: ReaderSpec, at: readonly string[]): void {
  const [kind, spec] = Object.entries(reader)[0] ?? [];
  if (kind === undefined || kind === 'date' || kind === 'datetime') return;
  const meaning = new Map<string, string>();
  for (const [value, words] of Object.entries(spec as { readonly [value: string]: readonly string[] })) {
    const here = [...at, kind, value];
    if (kind !== 'one_of' && kind !== 'boolean' && !/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/.test(value)) {
      scope.report(
        here,
        'reader/number',
        `"${value}" is not a number.`,
        'Left stands the number, right the words.',
      );
    } else if (kind === 'integer' && value.includes('.')) {
      scope.report(here, 'reader/number', `"${value}" is not an integer.`, 'Use decimal or money.');
    }
    blankWords(scope, here, words);
    words.forEach((word, i) => {
      const folded = foldPhrase(word);
      const other = meaning.get(folded);
      if (other !== undefined && other !== value) {
        const hint = 'Give each phrase one meaning.';
        scope.report([...here, i], 'reader/ambiguous', `"${word}" means "${other}" too.`, hint);
      }
      meaning.set(folded, value);
    });
  }
  if (kind === 'one_of' && meaning.size === 0) {
    scope.report(at, 'reader/empty', 'one_of has no choices.', 'Give each value its words.');
  }
}

function blankWords(scope: Scope, at: readonly (string | number)[], words: readonly string[]): void {
  words.forEach((word, i) => {
    if (foldPhrase(word) === '') {
      scope.report(
        [...at, i],
        'words/blank',
        'This word is blank.',
        'Remove it: blank words stand everywhere.',
      );
    }
  });
}

/** A tool that has words but no rules, beside one that has rules but no words, one letter away: a slip. */
function reportMisspelt(scope: Scope, tool: string, path: readonly (string | number)[]): void {
  const { checklist } = scope;
  const ruled = Object.keys(checklist.tools);
  if (ruled.includes(tool)) return;
  const wordless = ruled.filter((name) => !Object.hasOwn(checklist.intent.act_words, name));
  const near = nearest(tool, wordless);
  if (near === undefined) return;
  const hint = `Did you mean "${near}"? If not, add "${tool}: {}" under tools.`;
  scope.report(path, 'tool/no_rules', `No rule uses the tool "${tool}".`, hint);
}

/** ASCII case and runs of spaces don't tell phrases apart. */
function foldPhrase(phrase: string): string {
  let out = '';
  for (const c of phrase) {
    if (c === ' ' || c === '\t' || c === '\n' || c === '\u00a0') {
      if (out !== '' && !out.endsWith(' ')) out += ' ';
    } else {
      out += c >= 'A' && c <= 'Z' ? String.fromCharCode(c.charCodeAt(0) + 32) : c;
    }
  }
  return out.endsWith(' ') ? out.slice(0, -1) : out;
}
