/** An identifier in a CEL source that stands for itself (it is no field and no function's name). */
export interface CelName {
  readonly name: string;
  /** UTF-16 offset in the source. */
  readonly at: number;
}

const TOKEN =
  /(?<space>[ \t\r\n\f]+|\/\/[^\n]*)|(?<string>[bB]?[rR](?:"[^"\n]*"|'[^'\n]*')|[rRbB]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))|(?<number>(?:0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)u?)|(?<name>[A-Za-z_][A-Za-z0-9_]*)|(?<other>[\s\S])/y;
const WORDS = ['true', 'false', 'null', 'in'];
const BINDERS = ['all', 'exists', 'exists_one', 'map', 'filter'];

/**
 * The free names of an expression: what it takes from outside. Names bound by `all`, `exists`, `exists_one`, `map` and
 * `filter` are left out (everywhere in the expression: a scan, not a parse; what compiles is the compiler's to say).
 */
export function celNames(source: string): CelName[] {
  const tokens: { kind: string; text: string; at: number }[] = [];
  TOKEN.lastIndex = 0;
  for (;;) {
    const at = TOKEN.lastIndex;
    const found = at < source.length ? TOKEN.exec(source) : null;
    if (found === null) break;
    const { space, string, number, name } = found.groups ?? {};
    if (space !== undefined) continue;
    const kind =
      name !== undefined ? 'name' : string !== undefined || number !== undefined ? 'literal' : 'other';
    tokens.push({ kind, text: found[0], at });
  }
  const text = (i: number): string => tokens[i]?.text ?? '';
  const bound = new Set<string>();
  const names: CelName[] = [];
  tokens.forEach((token, i) => {
    if (token.kind !== 'name') return;
    if (text(i - 1) === '.') {
      if (BINDERS.includes(token.text) && text(i + 1) === '(' && text(i + 3) === ',') bound.add(text(i + 2));
      return;
    }
    if (text(i + 1) === '(' || WORDS.includes(token.text)) return;
    names.push({ name: token.text, at: token.at });
  });
  return names.filter(({ name }) => !bound.has(name));
}
