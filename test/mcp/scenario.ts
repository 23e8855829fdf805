import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, test } from 'vitest';
import { type Desk, desk } from './desk.ts';
import { type KeptServer, keptServer, SERVERS } from './servers.ts';
import { folder, replays, type Stage, type StageOptions, stage } from './stage.ts';

/** One of the public failures that this product must survive, played against a real MCP server. */
export interface Scenario {
  /** Numbers of CASES. */
  readonly cases: readonly number[];
  readonly title: string;
  readonly play: (on: Boards) => Promise<void>;
}

type Given = Partial<Omit<StageOptions, 'server' | 'checklists'>> & { readonly rules?: string };

/** What a scenario plays on. Whatever it opens is closed for it, and each of its logs must replay. */
export interface Boards {
  /** The filesystem server of npm, and the folder that it may write to. */
  readonly files: (
    given?: Given,
  ) => Promise<
    Stage & { readonly path: (name: string) => string; readonly file: (name: string) => string | null }
  >;
  /** The memory server of npm, and its graph as it stands in its file. */
  readonly graph: (given?: Given) => Promise<Stage & { readonly graph: () => Graph }>;
  /** A server over books in a file, which can be made to go wrong. */
  readonly desk: (given?: Given) => Promise<Stage & { readonly desk: Desk }>;
  readonly folder: string;
}

export interface Graph {
  readonly entities: readonly { readonly name: string; readonly observations: readonly string[] }[];
  readonly relations: readonly {
    readonly from: string;
    readonly to: string;
    readonly relationType: string;
  }[];
}

/** Plays them as tests. The servers of npm are started once for all of them. */
export function playsAll(theme: string, scenarios: readonly Scenario[], rules: Rules): void {
  describe(theme, () => {
    const root = folder();
    const memoryFile = join(root.path, 'graph.jsonl');
    const kept = new Map<string, KeptServer>();
    const server = (name: 'filesystem' | 'memory') => {
      const found =
        kept.get(name) ??
        keptServer(name === 'memory' ? SERVERS.memory(memoryFile) : SERVERS.filesystem(root.path));
      kept.set(name, found);
      return found.session;
    };
    afterAll(async () => {
      await Promise.all([...kept.values()].map(({ end }) => end()));
      root.end();
    });
    let played = 0;
    for (const { cases, title, play } of scenarios) {
      const number = played++;
      test(`CASE ${cases.join(', ')}: ${title}`, async () => {
        const stages: Stage[] = [];
        const set = async (
          given: Given,
          standard: string,
          transport: StageOptions['server'],
        ): Promise<Stage> => {
          const { rules: own = standard, ...rest } = given;
          const opened = await stage({ ...rest, server: transport, checklists: [own] });
          stages.push(opened);
          return opened;
        };
        const path = (name: string): string => join(root.path, `${number}-${name}`);
        const boards: Boards = {
          folder: root.path,
          async files(given = {}) {
            const on = await set(given, rules.files, server('filesystem'));
            const file = (name: string) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : null);
            return Object.assign(on, { path, file });
          },
          async graph(given = {}) {
            const on = await set(given, rules.graph, server('memory'));
            return Object.assign(on, { graph: () => graphIn(memoryFile) });
          },
          async desk(given = {}) {
            const board = desk(path(`books-${stages.length}.json`));
            const on = await set(given, rules.desk, board.transport);
            return Object.assign(on, { desk: board });
          },
        };
        try {
          await play(boards);
          for (const { log } of stages) replays(log);
        } finally {
          await Promise.all(stages.map((opened) => opened.close()));
        }
      });
    }
  });
}

export interface Rules {
  readonly files: string;
  readonly graph: string;
  readonly desk: string;
}

function graphIn(file: string): Graph {
  const lines = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
  const all = lines.map(
    (line) => JSON.parse(line) as { type: string } & Graph['entities'][number] & Graph['relations'][number],
  );
  return {
    entities: all
      .filter(({ type }) => type === 'entity')
      .map(({ name, observations }) => ({ name, observations })),
    relations: all
      .filter(({ type }) => type === 'relation')
      .map(({ from, to, relationType }) => ({ from, to, relationType })),
  };
}
