import { describe, expect, test } from 'vitest';
import { affordable, matches, readPattern } from '../../../src/gate/schema/pattern.ts';

describe('a pattern from a stranger', () => {
  test.each([
    '^[a-z0-9][a-z0-9_-]*$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^(red|green|blue)$',
    '^(?:\\d\\d(?:\\.\\d+)?)?Z$',
    '^-?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?)?$',
    '^#[a-fA-F0-9]{6}$',
    '^(?=.*x)[()|*+]+$',
    '^(?:ab){3}$',
    '\\S',
    '^\\u{1F600}*$',
  ])('%s may run', (source) => {
    const pattern = readPattern(source);
    expect('fault' in pattern ? pattern.fault : affordable(pattern, 12)).toBe(true);
  });

  test.each([
    ['^(a+)+$', 'unbounded'],
    ['^(a|ab)*$', 'unbounded'],
    ['^(a?){30}$', 'unbounded'],
    ['^(?:[a-z](?:[a-z-]{0,61}[a-z])?\\.)+$', 'unbounded'],
    ['^((a*)b){2}$', 'unbounded'],
    ['^(a)\\1*$', 'unbounded'],
    ['a*'.repeat(13), 'unbounded'],
    ['a?'.repeat(20), 'unbounded'],
    ['x'.repeat(2001), 'unbounded'],
    ['x{1,5000}', 'unbounded'],
    ['(', 'unreadable'],
    ['\\_', 'unreadable'],
    ['\\p{L}+', 'unreadable'],
    ['[\\p{L}]', 'unreadable'],
    ['(?<year>\\d+)', 'unreadable'],
    ['(?i:a)', 'unreadable'],
  ])('%s is %s', (source, fault) => {
    expect(readPattern(source)).toEqual({ fault });
  });

  test('a text that is too long for its loops is not tried', () => {
    const pattern = readPattern('^a*a*a*a*b$');
    if ('fault' in pattern) expect.fail(pattern.fault);
    expect(matches(pattern, `${'a'.repeat(50)}b`)).toBe(true);
    expect(affordable(pattern, 100_000)).toBe(false);
    expect(matches(pattern, `${'a'.repeat(100_000)}b`)).toBe(false);
  });

  test('the slowest test that is afforded ends soon', () => {
    const pattern = readPattern('^a*a*a*a*$');
    if ('fault' in pattern) expect.fail(pattern.fault);
    let length = 1;
    while (affordable(pattern, length + 1)) length++;
    const start = performance.now();
    expect(matches(pattern, `${'a'.repeat(length - 1)}b`)).toBe(false);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
