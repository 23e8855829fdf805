import { describe, expect, it } from 'vitest';
import { AT, agrees, found, read, reader } from './reading.ts';

const cabin = reader('cabin', {
  one_of: {
    basic_economy: ['basic economy'],
    economy: ['economy', 'coach', 'main cabin'],
    business: ['business', 'business class'],
  },
});

describe('one_of reads the longest declared phrase', () => {
  it.each<[string, string[]]>([
    ['A basic economy seat', ['basic_economy']],
    ['Basic-Economy or BASIC_ECONOMY', ['basic_economy', 'basic_economy']],
    ['basic **economy** or "basic" economy', ['basic_economy', 'basic_economy']],
    ['economy, not basic\neconomy', ['economy', 'basic_economy']],
    ['Business class. Business!', ['business', 'business']],
    ['coach', ['economy']],
    ['**economy**', ['economy']],
    ['economy/business', []],
    ['my_economy_plan, non-economy, economys, econom', []],
    ['https://a.example/economy', []],
    ['', []],
  ])('%s', (text, values) => {
    expect(read(cabin, text)).toEqual(values);
    for (const value of ['economy', 'basic_economy', 'business']) agrees(cabin, text, value, AT);
  });

  it('never finds a shorter choice within a longer one', () => {
    expect(found(cabin, 'basic economy', 'economy')).toEqual([]);
    expect(found(cabin, 'basic economy', 'basic_economy')).toEqual(['basic economy']);
    expect(cabin.readAt('basic economy', { start: 6, end: 13 }, AT)).toBeUndefined();
  });

  it('reads a phrase that is declared for two values as neither, and consumes it', () => {
    const plan = reader('plan', { one_of: { a: ['big plan'], b: ['big plan'], c: ['plan'] } });
    expect(read(plan, 'the big plan, the plan')).toEqual(['c']);
    expect(plan.fromJson('big plan', AT)).toBeUndefined();
    expect(plan.fromJson('a', AT)).toBe('a');
  });

  it('takes a structured value that is a choice, or says one', () => {
    expect(cabin.fromJson('basic_economy', AT)).toBe('basic_economy');
    expect(cabin.fromJson('Main Cabin', AT)).toBe('economy');
    expect(cabin.fromJson('first', AT)).toBeUndefined();
    expect(cabin.fromJson('toString', AT)).toBeUndefined();
    expect(cabin.fromJson(null, AT)).toBeUndefined();
    const size = reader('size', { one_of: { '1': ['small'], '2': ['large'] } });
    expect(size.fromJson(1, AT)).toBe('1');
    expect(size.fromJson(3, AT)).toBeUndefined();
    expect(found(size, 'a small one', 1)).toEqual(['small']);
    expect(size.same(1, '1')).toBe(true);
    expect(size.same(null, null)).toBe(false);
  });

  it('says the same in whatever order the choices are declared', () => {
    const other = reader('cabin', {
      one_of: {
        business: ['business class', 'business'],
        economy: ['main cabin', 'coach', 'economy'],
        basic_economy: ['basic economy'],
      },
    });
    const text = 'main cabin, coach, basic economy, business class or Economy';
    expect(other.scan(text, AT)).toEqual(cabin.scan(text, AT));
  });
});

describe('boolean reads declared words', () => {
  const insured = reader('insured', {
    boolean: { true: ['with insurance', 'yes'], false: ['no insurance', 'without insurance', 'no'] },
  });

  it.each<[string, boolean[]]>([
    ['Yes, with insurance', [true, true]],
    ['no insurance please', [false]],
    ['No, thanks. Without Insurance', [false, false]],
    ['nobody noticed; no-one', []],
    ['true or FALSE', [true, false]],
  ])('%s', (text, values) => {
    expect(read(insured, text)).toEqual(values);
    agrees(insured, text, true, AT);
    agrees(insured, text, false, AT);
  });

  it('takes booleans and their words from structured values, and nothing else', () => {
    expect(insured.fromJson(true, AT)).toBe(true);
    expect(insured.fromJson('no', AT)).toBe(false);
    expect(insured.fromJson(1, AT)).toBeUndefined();
    expect(insured.fromJson('maybe', AT)).toBeUndefined();
    expect(insured.same(true, true)).toBe(true);
    expect(insured.same(true, false)).toBe(false);
    expect(insured.same('true', 'true')).toBe(false);
  });

  it('knows only true and false where nothing is declared', () => {
    expect(read(reader('boolean'), 'yes, that is true')).toEqual([true]);
  });

  it('reads a word declared for both as neither', () => {
    const both = reader('both', { boolean: { true: ['ok'], false: ['ok'] } });
    expect(read(both, 'ok')).toEqual([]);
  });
});
