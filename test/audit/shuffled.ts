import { isArray, isObject, type Json } from '../../src/events/json.ts';

/**
 * The same JSON with the keys of every object in another order, inside strings that hold JSON objects or arrays too
 * (arguments, tool results). It is written as text by hand: an object of JavaScript puts keys such as `10` first by itself.
 */
export function shuffledText(value: Json, order: (keys: string[]) => string[]): string {
  if (typeof value === 'string') return JSON.stringify(inside(value, order) ?? value);
  if (isArray(value)) return `[${value.map((item) => shuffledText(item, order)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = order(Object.keys(value)).map(
    (key) => `${JSON.stringify(key)}:${shuffledText(value[key] as Json, order)}`,
  );
  return `{${members.join(',')}}`;
}

function inside(text: string, order: (keys: string[]) => string[]): string | null {
  if (!/^[[{]/.test(text)) return null;
  try {
    return shuffledText(JSON.parse(text) as Json, order);
  } catch {
    return null;
  }
}

/** A shuffle that a seed repeats (mulberry32). */
export function shufflerOf(seed: number): (keys: string[]) => string[] {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return (keys) => {
    const out = [...keys];
    for (let i = out.length - 1; i > 0; i--) {
      const j = Math.floor(next() * (i + 1));
      [out[i], out[j]] = [out[j] as string, out[i] as string];
    }
    return out;
  };
}
