import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../../src/events/json.ts';
import { randomId } from '../../src/events/random-id.ts';
import { type Commit, openMemoryLog } from '../../src/log/index.ts';
import { toolList } from '../../src/mcp/tool-list.ts';
import { live } from '../preflight/live.ts';

const NAMES = ['one', 'two'];
const listing = (description: string): JsonObject => ({
  tools: NAMES.map((name) => ({ name, description, inputSchema: { type: 'object' } })),
});

/** A list of tools over a log whose second commit waits for `until`. */
function listed(until: Promise<void> = Promise.resolve()) {
  const inner = openMemoryLog();
  let commits = 0;
  const log = new Proxy(inner, {
    get(of, name) {
      const member = Reflect.get(of, name, of) as unknown;
      if (typeof member !== 'function') return member;
      if (name !== 'append') return member.bind(of);
      return async (commit: Commit) => {
        if (++commits === 2) await until;
        return of.append(commit);
      };
    },
  });
  const tools = toolList(live({ log, newId: randomId }), () => 'srv');
  const recorded = (name: string): unknown => {
    for (const page of inner.readSync({ stream: `tool/srv/${name}`, direction: 'backward', limit: 1 }))
      for (const { event } of page) return (event.data as { tool: { description: string } }).tool.description;
  };
  return {
    tools,
    commits: () => commits,
    /** Of each tool: what the log says last, and what a call would be judged by. */
    newest: () => NAMES.map((name) => [recorded(name), tools.get(name)?.description]),
  };
}

const NEW = NAMES.map(() => ['new', 'new']);

test('A listing that is still being recorded does not stand after one that was asked for later', async () => {
  let letGo = (): void => {};
  const { tools, commits, newest } = listed(new Promise((resolve) => (letGo = resolve)));
  const own = tools.upToDate(async () => listing('old'));
  await vi.waitFor(() => expect(commits()).toBe(2));
  const heard = tools.heard(listing('new'), tools.asked());
  setTimeout(letGo, 50);
  await Promise.all([own, heard]);
  expect(newest()).toEqual(NEW);
});

test('A listing that was asked for earlier and comes later is not believed: the tools are listed again', async () => {
  const { tools, newest } = listed();
  let lists = 0;
  const list = async () => {
    lists++;
    return listing('new');
  };
  const asked = tools.asked();
  await tools.upToDate(list);
  await tools.heard(listing('old'), asked);
  expect(newest()).toEqual(NEW);
  await tools.upToDate(list);
  expect([lists, newest()]).toEqual([2, NEW]);
});
