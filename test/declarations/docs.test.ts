import { readFileSync } from 'node:fs';
import { Validator } from '@cfworker/json-schema';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseChecklist } from '../../src/declarations/load.ts';
import { checklistJsonSchema } from '../../src/declarations/schema.ts';
import { BANK_YAML } from '../checklists.ts';

const page = readFileSync(new URL('../../docs/checklist.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map((found) => found[1] ?? '');
const validator = new Validator(checklistJsonSchema(), '2020-12', false);

describe('the checklist page', () => {
  test('has an example for each of its parts', () => {
    expect(examples.length).toBeGreaterThanOrEqual(9);
  });

  test('shows every key of the format', () => {
    const keys = new Set<string>();
    const collect = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { properties, additionalProperties, items, anyOf } = schema as Record<string, unknown>;
      for (const [key, child] of Object.entries((properties as object | undefined) ?? {})) {
        keys.add(key);
        collect(child);
      }
      collect(additionalProperties);
      collect(items);
      for (const each of Array.isArray(anyOf) ? anyOf : []) collect(each);
    };
    collect(checklistJsonSchema());
    const text = examples.join('\n');
    expect(keys.size).toBeGreaterThan(50);
    expect([...keys].filter((key) => !new RegExp(`\\b${key}\\b`).test(text))).toEqual([]);
  });

  test.each(examples.map((example) => [/checklist: (.*)/.exec(example)?.[1], example]))(
    'has an example %s that loads and fits the published schema',
    (_, example) => {
      expect(parseChecklist(example ?? '', 'example.yaml').digest).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect(validator.validate(parse(example ?? '')).errors).toEqual([]);
    },
  );
});

describe('the published JSON Schema', () => {
  test('takes a whole checklist', () => {
    expect(validator.validate(parse(BANK_YAML)).errors).toEqual([]);
  });

  test.each([
    ['an unknown key', 'tolls: {}'],
    ['a region as zone', 'zone: America/New_York'],
    ['an argument that is no pointer', 'tools: { a: { slots: { amount: {} } } }'],
    ['a reader of two kinds', 'readers: { a: { one_of: { b: [c] }, integer: { 1: [one] } } }'],
    ['a setting without a name', 'tools: { a: { slots: { /a: { setting: "" } } } }'],
  ])('refuses %s', (_, line) => {
    const file = `grounds: 1\nchecklist: a\ndeclared_by: system\n${line}\n`;
    expect(validator.validate(parse(file, { stringKeys: true })).valid).toBe(false);
  });

  test('describes the keys at the top', () => {
    const properties = checklistJsonSchema().properties as Record<string, { description?: string }>;
    const bare = Object.keys(properties).filter((key) => properties[key]?.description === undefined);
    expect(bare).toEqual([]);
  });
});
