import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contextOf, contextSchema, HostContext } from '../src/mcp/context.ts';

const text = readFileSync('docs/mcp.md', 'utf8');

describe('docs/mcp.md', () => {
  test('shows a context that is read', () => {
    const blocks = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json));
    const call = blocks.find((block) => block._meta !== undefined);
    expect(contextOf(call._meta).problem).toBeNull();
    expect(contextOf(call._meta).context?.segments.map(({ typed }) => typed)).toEqual([true, false]);
  });

  test('has every field of it', () => {
    for (const name of Object.keys(HostContext.shape)) expect(text).toContain(`| \`${name}\` |`);
    expect(contextSchema()).toMatchObject({ type: 'object', additionalProperties: false });
  });
});
