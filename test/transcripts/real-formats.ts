import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';

/** Where the real samples are; tests that need them are skipped without it. */
export const REAL = process.env.GROUNDS_REAL_DATA;

export function real(file: string): string {
  return join(REAL ?? '', file);
}

export function realText(file: string): string {
  return readFileSync(real(file), 'utf8');
}

/** The values of a file of JSON, or of JSON lines. */
export function valuesIn(file: string): unknown[] {
  const text = realText(file);
  if (!file.endsWith('.jsonl')) return [JSON.parse(text)];
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as unknown);
}

type Thing = { readonly [key: string]: unknown };

/** All objects in a value that are so, wherever they stand. */
export function objectsIn(value: unknown, fits: (object: Thing) => boolean): Thing[] {
  if (Array.isArray(value)) return value.flatMap((each) => objectsIn(each, fits));
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap((each) => objectsIn(each, fits));
  return fits(value as Thing) ? [value as Thing, ...inside] : inside;
}

/** The request bodies of a recorded exchange. */
export function requestsIn(cassette: string): string[] {
  const { interactions } = parse(realText(cassette)) as { interactions: { request: { body: string } }[] };
  return interactions.map(({ request }) => request.body);
}

/** The values that a file of TypeScript exports, where they are literals. */
export function exportsIn(file: string): Map<string, unknown> {
  const text = realText(file);
  return new Map(
    text
      .split(/^export const /m)
      .slice(1)
      .map((piece) => {
        const [, name = '', literal = ''] = /^(\w+) = ([\s\S]*?);\s*$/.exec(piece.trim()) ?? [];
        return [name, JSON.parse(JSON.stringify(runInNewContext(`(${literal})`))) as unknown];
      }),
  );
}

/** The model-call spans that a document shows: its messages by the names of their anchors, one conversation a name. */
export function spansIn(file: string): { conversation: string; attributes: Record<string, string> }[] {
  const anchors = /<span id="gen-ai-(input|output)-messages-([\w-]+)">[\s\S]*?```json\n([\s\S]*?)```/g;
  const spans = new Map<string, { conversation: string; attributes: Record<string, string> }>();
  for (const [, side, name = '', json = ''] of realText(file).matchAll(anchors)) {
    const conversation = name.replace(/-span-\d$/, '');
    const span = spans.get(name) ?? {
      conversation,
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.conversation.id': conversation },
    };
    span.attributes[`gen_ai.${side}.messages`] = json;
    spans.set(name, span);
  }
  return [...spans.values()];
}

/** Examples of a protocol's types, by type: each example as its value. */
export function examplesIn(folder: string): Map<string, { name: string; value: Thing }[]> {
  const byType = new Map<string, { name: string; value: Thing }[]>();
  for (const file of readdirSync(real(folder)).sort()) {
    const [type = '', name = ''] = file.replace('.json', '').split('_');
    byType.set(type, [
      ...(byType.get(type) ?? []),
      { name, value: JSON.parse(realText(join(folder, file))) as Thing },
    ]);
  }
  return byType;
}
