/**
 * A tool's status line as the system declares it: fixed words with `{name}` for each part. The whole text must match;
 * a part is what stands before the next fixed words, and is never empty.
 */
export function matchTemplate(
  template: string,
  text: string,
): Readonly<Record<string, { readonly start: number; readonly end: number }>> | null {
  const parts: Record<string, { start: number; end: number }> = Object.create(null);
  const pieces = template.split(/\{([a-z][a-z0-9_]*)\}/);
  let at = 0;
  const head = pieces[0] as string;
  if (!text.startsWith(head)) return null;
  at = head.length;
  for (let index = 1; index < pieces.length; index += 2) {
    const name = pieces[index] as string;
    const next = pieces[index + 1] as string;
    const last = index + 2 >= pieces.length;
    const end = next === '' ? (last ? text.length : -1) : last ? text.length - next.length : text.indexOf(next, at + 1);
    if (end <= at || !text.startsWith(next, end)) return null;
    parts[name] = { start: at, end };
    at = end + next.length;
  }
  return at === text.length ? parts : null;
}
