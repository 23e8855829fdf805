import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Where the same input must give the same bytes, on any machine and at any time. */
const FENCED = ['src/gate', 'src/events', 'replay'].filter((folder) => existsSync(folder));

/** What may not stand there, by what it would let in. */
const BANNED: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'the clock', pattern: /\bDate\b(?!s)|\bperformance\b/ },
  { what: 'Math, whose results differ between engines', pattern: /\bMath\./ },
  { what: 'powers, whose results differ between engines', pattern: /[\w)\]]\s*\*\*=?\s*[\w(-]/ },
  { what: 'locale data', pattern: /\bIntl\b|\.toLocale\w*\(|\.localeCompare\(/ },
  { what: 'Unicode tables', pattern: /\.normalize\(|\.to(Lower|Upper)Case\(|\\[pP]\{/ },
  {
    what: 'case folding by Unicode',
    pattern: /\/[dgmsy]*(i[dgmsy]*[uv]|[uv][dgmsy]*i)[dgimsuvy]*[\s.,;)\]]/,
  },
  { what: 'for-in', pattern: /\bfor\s*\(\s*(?:const|let|var)\s+\w+\s+in\b/ },
  { what: 'sorting without an order', pattern: /\.(?:sort|toSorted)\(\s*\)/ },
  { what: 'waiting', pattern: /\basync\b|\bawait\b|\bPromise\b|\bsetTimeout\b/ },
  { what: "an engine's own words", pattern: /\b(?:error|thrown|cause|e|err)\.(?:message|stack)\b/ },
  { what: 'memory that comes and goes', pattern: /\bWeakRef\b|\bFinalizationRegistry\b/ },
  { what: 'bit views', pattern: /\b(?:DataView|Float32Array|Float64Array|BigUint64Array)\b/ },
  { what: 'URL, whose tables change', pattern: /\bURL\b\s*\(|\bnew URL\b|\bURLSearchParams\b/ },
  { what: 'chance', pattern: /\brandomUUID\b|\brandomBytes\b|\bgetRandomValues\b/ },
];

/** What stands there all the same, and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/events/random-id.ts: chance':
    'ids of what happens live; nothing that must do the same twice imports it',
  'replay/gates.ts: waiting':
    'a module is loaded by promise; what replays with the gate it gives waits for nothing',
  'replay/freeze.ts: waiting': 'it bundles the gate into a file, long before anything is replayed',
  'replay/freeze-main.ts: waiting': 'the command line of the same',
};

/** Which folders may be imported at run time, and by whom (the house's arrows); a file's own folder always. */
const ARROWS: readonly { readonly of: string; readonly to: readonly string[] }[] = [
  { of: 'src/events', to: ['src/errors.ts'] },
  { of: 'src/declarations', to: ['src/events', 'src/errors.ts'] },
  { of: 'src/gate', to: ['src/declarations', 'src/events', 'src/errors.ts'] },
];

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .sort();
}

/** A source without its comments; strings stay, since a pattern may stand in one. */
function codeOf(file: string): string {
  return readFileSync(file, 'utf8')
    .replace(/^\s*\/?\*.*$/gm, '')
    .replace(/(^|\s)\/\/.*$/gm, '');
}

/** The modules that a file imports at run time: types are gone by then. */
function importsOf(file: string): string[] {
  const code = readFileSync(file, 'utf8');
  const out: string[] = [];
  for (const [, clause = '', from = ''] of code.matchAll(
    /^(?:import|export)\s+([^;]*?)\s*from\s+'([^']+)'/gm,
  )) {
    if (/^type\b/.test(clause)) continue;
    const names = /^\{([^}]*)\}$/.exec(clause)?.[1]?.split(',');
    if (names?.every((name) => name.trim() === '' || name.trim().startsWith('type '))) continue;
    out.push(from);
  }
  for (const [, from = ''] of code.matchAll(/^import\s+'([^']+)'/gm)) out.push(from);
  for (const [, from = ''] of code.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)) out.push(from);
  return out;
}

function inside(file: string, from: string): string {
  return from.startsWith('.') ? relative('.', resolve(file, '..', from)).replaceAll('\\', '/') : from;
}

/** Everything that a file needs at run time, and everything that those need. */
function reachedBy(start: readonly string[]): Map<string, string> {
  const cameFrom = new Map<string, string>();
  const waiting = [...start];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    for (const from of importsOf(file)) {
      const to = inside(file, from);
      if (cameFrom.has(to)) continue;
      cameFrom.set(to, file);
      if (to.endsWith('.ts') && existsSync(to)) waiting.push(to);
    }
  }
  return cameFrom;
}

describe('The fences', () => {
  for (const folder of FENCED) {
    test(`${folder} holds nothing that could come out differently tomorrow`, () => {
      const found = sourcesIn(folder).flatMap((file) => {
        const code = codeOf(file);
        return BANNED.filter(({ pattern }) => pattern.test(code)).map(({ what }) => `${file}: ${what}`);
      });
      expect(found.filter((fault) => ALLOWED[fault] === undefined)).toEqual([]);
    });
  }

  test('every exception is still one', () => {
    for (const fault of Object.keys(ALLOWED)) {
      const [file = '', what] = fault.split(': ');
      expect(BANNED.find((banned) => banned.what === what)?.pattern.test(codeOf(file))).toBe(true);
    }
  });

  test('see what they are there to see', () => {
    const samples = [
      'new Date()',
      'Math.floor(1)',
      'a ** -5',
      'a.localeCompare(b)',
      'x.normalize()',
      '/a/iu ',
      'for (const k in o) {}',
      'a.sort()',
      'async () => {}',
      'error.message',
      'new WeakRef(a)',
      'new Float64Array(1)',
      'new URL(a)',
      'randomUUID()',
    ];
    expect(samples.map((code) => BANNED.findIndex(({ pattern }) => pattern.test(code)))).toEqual(
      samples.map((_, index) => index),
    );
  });

  for (const { of, to } of ARROWS) {
    test(`${of} imports only from itself and ${to.join(', ')}`, () => {
      const wrong = sourcesIn(of).flatMap((file) =>
        importsOf(file)
          .filter((from) => from.startsWith('.'))
          .map((from) => inside(file, from))
          .filter(
            (target) =>
              ![of, ...to].some((allowed) => target === allowed || target.startsWith(`${allowed}/`)),
          )
          .map((target) => `${file} → ${target}`),
      );
      expect(wrong).toEqual([]);
    });
  }

  test('the gate can be frozen whole: what it needs at run time is neither Node nor a schema library', () => {
    const reached = reachedBy(['src/gate/index.ts']);
    const wrong = [...reached]
      .filter(
        ([to]) =>
          to.startsWith('node:') ||
          /^(zod|yaml|kysely|better-sqlite3)/.test(to) ||
          to === 'src/events/random-id.ts',
      )
      .map(([to, file]) => `${file} → ${to}`);
    expect(wrong).toEqual([]);
    expect(reached.size).toBeGreaterThan(20);
  });
});
