import { describe, expect, it } from 'vitest';
import { explain, renderWhy } from '../../src/explain/index.ts';
import { Explanation } from '../../src/explain/schema.ts';
import { columnsOf } from '../../src/explain/shown.ts';
import { equalReplay, recorded } from './bank.ts';
import { SCENES } from './scenes.ts';

function explained(name: string): Explanation {
  const scene = SCENES[name];
  if (scene === undefined) throw new Error(`There is no scene ${name}.`);
  const { log, calls } = recorded(scene.told, scene.options);
  const last = calls.at(-1);
  if (last === undefined) throw new Error(`The scene ${name} has no call.`);
  return explain(log, last.place, last.row, {
    replay: () => (last.row.run_id === null ? null : equalReplay(last.row)),
  });
}

describe.each(Object.keys(SCENES))('why: %s', (name) => {
  it.each([100, 60])('reads as its golden file at %d columns', async (width) => {
    const text = renderWhy(explained(name), { width, color: false });
    await expect(text).toMatchFileSnapshot(`golden/${name}.${width}.txt`);
  });

  it('has a JSON form that its schema takes, and that comes out the same again', () => {
    const explanation = explained(name);
    const json = JSON.parse(JSON.stringify(explanation));
    expect(Explanation.parse(json)).toEqual(explanation);
    expect(explained(name)).toEqual(explanation);
  });

  it.each([40, 60, 79, 80, 100, 160])(
    'fits %d columns, ends no line in a space and holds no control',
    (width) => {
      const text = renderWhy(explained(name), { width, color: false });
      expect(text).not.toMatch(/[^\P{C}\n]/u);
      expect(text).not.toMatch(/ $/m);
      for (const line of text.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(Math.max(width, 64));
    },
  );

  it('says the same with colour', () => {
    const explanation = explained(name);
    const plain = renderWhy(explanation, { width: 100, color: false });
    const colored = renderWhy(explanation, { width: 100, color: true });
    expect(colored).not.toBe(plain);
    expect(colored.replaceAll(/\u001b\[[0-9]+m/g, '')).toBe(plain);
  });
});
