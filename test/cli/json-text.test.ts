import { expect, test } from 'vitest';
import { jsonText } from '../../src/cli/json-text.ts';

test.each(['\u009b31m', '\u202eevil', '\u2066a\u2069', '\u200bx', '\ufeff', '\u2028', '\u007f', '\u001b[2J'])(
  'JSON for a terminal carries no order to it, and says the same: %j',
  (text) => {
    const shown = jsonText({ [text]: [text] });
    expect(/^[ -~\u00a0-\u05ff]*$/.test(shown)).toBe(true);
    expect(JSON.parse(shown)).toEqual({ [text]: [text] });
  },
);
