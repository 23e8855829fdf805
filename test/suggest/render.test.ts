import { readdirSync } from 'node:fs';
import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/events/json.ts';
import { renderDraft, suggest } from '../../src/suggest/index.ts';
import { readTranscripts } from '../../src/transcripts/index.ts';
import { BOATS } from './boats.ts';
import { drafted, type Line, loaded } from './talk.ts';

const folder = new URL('../../fixtures/transcripts/', import.meta.url).pathname;

describe('a rendered draft', () => {
  const text = renderDraft(drafted(...BOATS), { name: 'boats/policy' });

  test('loads as it is, and declares nothing but the names of the tools', () => {
    const { asItIs } = loaded(text);
    expect(asItIs.checklist).toBe('boats/policy');
    expect(Object.keys(asItIs.tools)).toEqual(['get_member', 'relocate_boat']);
    for (const rules of Object.values(asItIs.tools)) {
      expect(rules).toEqual({ slots_from_proposal: false, slots: {}, conditions: {}, ungated: {} });
    }
    expect(asItIs.facts).toEqual({});
    expect(asItIs.intent).toEqual({ timing: {}, act_words: {}, single_tool: false, yes: [], no: [] });
  });

  test('loads with every guess taken, and then declares what was suggested', () => {
    const { taken } = loaded(text);
    expect(taken.tools.get_member?.reversible).toBe(true);
    expect(taken.tools.relocate_boat?.slots['/boat_id']).toMatchObject({
      reader: 'text',
      select: 'member',
      measured: ['member#/boats/*/boat_id'],
    });
    expect(taken.now).toEqual({ author: 'system', after: 'The current time is ' });
    expect(taken.intent.yes).toEqual(['yes']);
  });

  test('says the counts and three examples beside each guess', () => {
    expect(text).toContain('## /boat_id: 6 values, 6 different: in results 6');
    expect(text).toMatch(
      /## "B00-770" at .*talks\.jsonl:1 message 6: get_member \/boats\/\*\/boat_id, message 3/,
    );
    expect(text).toContain('## - A boat can be moved only by its owner. (6×)');
  });

  test.each(readdirSync(folder))('of %s loads both ways', (name) => {
    expect(() => loaded(renderDraft(suggest(readTranscripts(folder + name))))).not.toThrow();
  });

  const name = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
    fc.constantFrom('id', 'yes', 'no', '*', 'a/b', 'a~b', '# x', '": {', 'get_x', 'text', 'now', 'order_id'),
  );
  const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<Json>(
        'full_cover',
        'no',
        'yes',
        'X-1234',
        12,
        0.5,
        true,
        null,
        '',
        '\u2028',
        '# a\n# b: c',
        [],
        {},
      ),
      name,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 3 }),
    ),
  })).value;
  const line: fc.Arbitrary<Line> = fc.oneof(
    fc.record({ user: fc.oneof(name, fc.constant('Yes, X-1234 with full cover as soon as possible')) }),
    fc.record({ agent: name }),
    fc.record({
      system: fc.constantFrom('You must not.\n# tools: []', 'The current time is 2026-01-01 10:00:00 EST.'),
    }),
    fc.record({
      call: name.filter((text) => text !== ''),
      args: fc.dictionary(name, value, { maxKeys: 4 }),
      gives: value,
    }),
  );

  law.prop([fc.array(fc.array(line, { maxLength: 8 }), { maxLength: 5 })], { numRuns: 300 })(
    'of any conversations loads as it is and with every guess taken',
    (all) => {
      const text = renderDraft(
        drafted(
          ...all.filter((lines) => lines.some((one) => 'user' in one || 'call' in one)),
          ...BOATS.slice(0, 2),
        ),
      );
      expect(() => loaded(text)).not.toThrow();
    },
  );
});
