/**
 * The name that was probably meant: at most two edits away (one for short names), the nearest first, the first listed
 * among equals. Undefined where none is near, so that a hint never suggests something unlike what stands there.
 */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const allowed = name.length <= 4 ? 1 : 2;
  let best: string | undefined;
  let least = allowed + 1;
  for (const candidate of names) {
    if (candidate === name) continue;
    const distance = edits(fold(name), fold(candidate), allowed);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Case, `-` and `_` are what people mistake most: they cost nothing. */
function fold(name: string): string {
  let out = '';
  for (const c of name)
    out += c >= 'A' && c <= 'Z' ? String.fromCharCode(c.charCodeAt(0) + 32) : c === '-' ? '_' : c;
  return out;
}

/** Edit distance with swapped neighbours as one edit; `limit + 1` as soon as it must exceed the limit. */
function edits(a: string, b: string, limit: number): number {
  if (a.length - b.length > limit || b.length - a.length > limit) return limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = (last[j - 1] ?? 0) + (same ? 0 : 1);
      cost = least(cost, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = least(cost, (before[j - 2] ?? 0) + 1, cost);
      }
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? limit + 1;
}

function least(a: number, b: number, c: number): number {
  const ab = a < b ? a : b;
  return ab < c ? ab : c;
}
