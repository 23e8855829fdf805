/**
 * How long a stranger's regular expression can run, judged from its text. JavaScript's engine backtracks, so a nested
 * repetition can take exponential time; such a pattern is refused before it runs. Safe by construction, not by time-out.
 */
export interface Pattern {
  readonly regex: RegExp;
  /** Repetitions whose count varies by more than one: each multiplies the work by the text's length. */
  readonly loops: number;
  /** The product of all other choices: alternatives and optional parts. */
  readonly choices: number;
}

/** `unreadable`: no regular expression, or one that engines read differently. `unbounded`: could run for too long. */
export type PatternFault = 'unreadable' | 'unbounded';

const MAX_PATTERN = 2000;
const MAX_CHOICES = 100_000;
const MAX_LOOPS = 12;
/** Repeats of a bounded count, `{3}` or `{1,64}`. */
const MAX_COUNT = 1000;
/** The most steps one test may take by the estimate of `affordable`. */
const MAX_STEPS = 100_000_000;

interface Group {
  loops: number;
  choices: number;
  alternatives: number;
  /** Whether anything in it varies: such a group must not be repeated. */
  varies: boolean;
}

/**
 * Reads a pattern as JSON Schema does (ECMAScript, `u` flag). Refused as unbounded: a repeated group that itself holds
 * a repetition, an optional part or alternatives (`(a+)*`, `(a|ab)+`), back references, more than 12 loops, more than
 * 100,000 combinations of alternatives, more than 2,000 characters. Refused as unreadable: what does not compile,
 * `\p{…}` (its tables change with the engine), named groups and inline flags (not read alike by all engines).
 */
export function readPattern(source: string): Pattern | { readonly fault: PatternFault } {
  if (source.length > MAX_PATTERN) return { fault: 'unbounded' };
  let regex: RegExp;
  try {
    regex = new RegExp(source, 'u');
  } catch {
    return { fault: 'unreadable' };
  }
  const measured = measure(source);
  return typeof measured === 'string' ? { fault: measured } : { regex, ...measured };
}

/** Whether a test of a text of this length ends within the bound. An overestimate: true texts end far sooner. */
export function affordable(pattern: Pattern, length: number): boolean {
  // A pattern that is not anchored may begin anywhere: one loop more.
  const loops = pattern.regex.source.startsWith('^') ? pattern.loops : pattern.loops + 1;
  let steps = pattern.choices;
  for (let i = 1; i <= loops; i++) steps = (steps * (length + i)) / i;
  return steps <= MAX_STEPS;
}

/** Whether the pattern is found in the text; a test that is not affordable finds nothing. */
export function matches(pattern: Pattern, text: string): boolean {
  return affordable(pattern, text.length) && pattern.regex.test(text);
}

function measure(source: string): { loops: number; choices: number } | PatternFault {
  const stack: Group[] = [emptyGroup()];
  let i = 0;
  while (i < source.length) {
    const top = stack[stack.length - 1];
    if (top === undefined) return 'unreadable';
    const char = source[i] ?? '';
    let atom: Group | null = null;
    if (char === '(') {
      const opened = /^\((?:\?(?::|=|!|<=|<!))?/.exec(source.slice(i, i + 4))?.[0] ?? '(';
      if (opened === '(' && source[i + 1] === '?') return 'unreadable';
      stack.push(emptyGroup());
      i += opened.length;
      continue;
    }
    if (char === '|') {
      top.alternatives++;
      i++;
      continue;
    }
    if (char === ')') {
      stack.pop();
      atom = top;
      i++;
    } else if (char === '[') {
      const end = endOfClass(source, i);
      if (/\\[pP]\{/.test(source.slice(i, end))) return 'unreadable';
      i = end;
    } else if (char === '\\') {
      const next = source[i + 1] ?? '';
      if (next === 'p' || next === 'P') return 'unreadable';
      if (next === 'k' || (next >= '1' && next <= '9')) return 'unbounded';
      i += next === 'u' && source[i + 2] === '{' ? source.indexOf('}', i) - i + 1 : 2;
    } else i += 1;
    const quantifier = /^(?:[*+?]|\{([0-9]+)(,?)([0-9]*)\})\??/.exec(source.slice(i, i + 24));
    const parent = stack[stack.length - 1];
    if (parent === undefined) return 'unreadable';
    if (quantifier !== null) i += quantifier[0].length;
    const fault = repeat(parent, atom, quantifier);
    if (fault !== null) return fault;
  }
  const root = stack[0];
  if (root === undefined || stack.length !== 1) return 'unreadable';
  const choices = root.choices * root.alternatives;
  return root.loops > MAX_LOOPS || choices > MAX_CHOICES ? 'unbounded' : { loops: root.loops, choices };
}

function emptyGroup(): Group {
  return { loops: 0, choices: 1, alternatives: 1, varies: false };
}

/** Counts one atom, with its quantifier, into the group that it stands in. */
function repeat(into: Group, atom: Group | null, quantifier: RegExpExecArray | null): 'unbounded' | null {
  const varies = atom !== null && (atom.varies || atom.alternatives > 1);
  if (atom !== null) {
    into.loops += atom.loops;
    into.choices *= atom.choices * atom.alternatives;
    into.varies ||= varies;
  }
  if (quantifier === null) return null;
  const sign = (quantifier[0] ?? '')[0];
  const least = sign === '*' || sign === '?' ? 0 : sign === '+' ? 1 : Number(quantifier[1]);
  const most =
    sign === '?' ? 1 : quantifier[2] === '' ? least : quantifier[3] ? Number(quantifier[3]) : MAX_COUNT + 1;
  if (most === 0 || (least === 1 && most === 1)) return null;
  if (sign === '{' && (least > MAX_COUNT || (quantifier[3] && most > MAX_COUNT))) return 'unbounded';
  if (most > 1 && varies) return 'unbounded';
  if (least === most) return null;
  into.varies = true;
  if (most === 1) into.choices *= 2;
  else into.loops++;
  return null;
}

/** Behind the `]` of a character class; the pattern has compiled, so there is one. */
function endOfClass(source: string, start: number): number {
  let i = start + 1;
  while (i < source.length && source[i] !== ']') i += source[i] === '\\' ? 2 : 1;
  return i + 1;
}
