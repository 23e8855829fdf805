/** Counts by key, in the order of first sight, with a bound on the keys: what comes later is counted together. */
export interface Counts {
  add(key: string, by?: number): void;
  get(key: string): number;
  readonly size: number;
  /** How many additions had no room. */
  readonly dropped: number;
  /** Most first, equal ones by key. */
  sorted(): [string, number][];
}

export function counts(most: number): Counts {
  const held = new Map<string, number>();
  let dropped = 0;
  return {
    add(key, by = 1) {
      const before = held.get(key);
      if (before === undefined && held.size >= most) dropped += by;
      else held.set(key, (before ?? 0) + by);
    },
    get: (key) => held.get(key) ?? 0,
    get size() {
      return held.size;
    },
    get dropped() {
      return dropped;
    },
    sorted: () => [...held].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)),
  };
}

/** The value of a key, made where it is missing; undefined where there is no more room. */
export function held<K, V>(map: Map<K, V>, key: K, most: number, make: () => V): V | undefined {
  let value = map.get(key);
  if (value === undefined) {
    if (map.size >= most) return undefined;
    value = make();
    map.set(key, value);
  }
  return value;
}
