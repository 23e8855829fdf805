import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { columnsOf, cutMiddle, shown, wrapped } from '../../src/explain/shown.ts';

const anyText = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0, max: 0xffff }).map((u) => String.fromCharCode(u)),
    fc.constantFrom(' ', 'a', '\u001b[2J', '\u202e', '\ud83d\ude00', '가'),
  ),
});

describe('what reaches a terminal', () => {
  test.prop([anyText])('holds no control, no mark of direction and no half pair', (text) => {
    // Unassigned and private letters have no power over a terminal: they may stand.
    expect(shown(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
  });

  it.each([
    ['\u001b]8;;http://x\u0007', '\\u001b]8;;http://x\\u0007'],
    ['a\r\nb\tc', 'a\\r\\nb\\tc'],
    ['\u009b2J', '\\u009b2J'],
    ['a\u202eb\u2066c', 'a\\u202eb\\u2066c'],
    ['\u{e0041}', '\\u{e0041}'],
    ['Größe 가 €', 'Größe 가 €'],
  ])('%j is shown as %s', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });
});

describe('cutting and wrapping', () => {
  test.prop([anyText.map(shown), fc.integer({ min: 3, max: 40 })])(
    'a cut text keeps to its columns',
    (text, columns) => {
      expect(columnsOf(cutMiddle(text, columns))).toBeLessThanOrEqual(Math.max(columns, 3));
      if (columnsOf(text) <= columns) expect(cutMiddle(text, columns)).toBe(text);
    },
  );

  test.prop([anyText.map(shown), fc.integer({ min: 2, max: 40 })])(
    'wrapping loses nothing but spaces',
    (text, columns) => {
      const lines = wrapped(text, columns);
      for (const line of lines) expect(line).toBe(line.trimEnd());
      expect(lines.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
    },
  );
});
