import type { Json } from './json.ts';

/** Canonical JSON text: keys sorted by UTF-16 code units, no spaces. */
export function encode(value: unknown): string {
  return JSON.stringify(sorted(value as Json));
}

function sorted(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const object = value as { readonly [key: string]: Json };
  const keys = Object.keys(object).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(keys.map((key) => [key, sorted(object[key] as Json)]));
}
