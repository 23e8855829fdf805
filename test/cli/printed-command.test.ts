import { expect, test } from 'vitest';
import { onLog, printedCommand } from '../../src/cli/printed-command.ts';

test('a printed command names the log, unless that is the one it would read anyway', () => {
  expect(printedCommand(['why', '4:4'], 'r.db')).toBe('grounds why 4:4 --db r.db');
  expect(printedCommand(['why', '4:4'], 'grounds.db')).toBe('grounds why 4:4');
});

test('what a shell would take apart stands in quotes, and what a terminal would obey is shown', () => {
  expect(printedCommand(['settings', 'keep', "Ann's home", '/to'], 'my log.db')).toBe(
    "grounds settings keep 'Ann'\\''s home' /to --db 'my log.db'",
  );
  expect(onLog('a\u001b\n$(x).db')).toBe(" --db 'a\\u{1b}\\u{a}$(x).db'");
});
