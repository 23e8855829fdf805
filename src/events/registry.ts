import type { z } from 'zod';
import { CALL_EVENTS } from './call.ts';
import { CHECKLIST_EVENTS } from './checklist.ts';
import { CONVERSATION_EVENTS } from './conversation.ts';
import { REQUEST_EVENTS } from './request.ts';
import { SETTING_EVENTS } from './setting.ts';
import type { StreamKind } from './streams.ts';
import { TOOL_EVENTS } from './tool.ts';

const DATA = {
  ...CONVERSATION_EVENTS,
  ...TOOL_EVENTS,
  ...CHECKLIST_EVENTS,
  ...SETTING_EVENTS,
  ...REQUEST_EVENTS,
  ...CALL_EVENTS,
};

export type EventType = keyof typeof DATA;

/** The data of an event of this type, as `parseEvent` gives it. */
export type DataOf<T extends EventType> = z.infer<(typeof DATA)[T]>;

/** The events of each kind of stream. */
const STREAMS: readonly (readonly [StreamKind, Readonly<Record<string, unknown>>])[] = [
  ['conversation', CONVERSATION_EVENTS],
  ['tool', TOOL_EVENTS],
  ['checklist', CHECKLIST_EVENTS],
  ['setting', SETTING_EVENTS],
  ['request', REQUEST_EVENTS],
  ['call', CALL_EVENTS],
];

/** The newest shape of each type, where that isn't the first. */
const NEWEST: { readonly [T in EventType]?: number } = {};

export interface EventDefinition<T extends EventType = EventType> {
  /** The newest shape of the data. */
  readonly schema: number;
  /** The kinds of stream it may stand in: the first part of the stream's name. */
  readonly streams: readonly StreamKind[];
  readonly data: (typeof DATA)[T];
}

export const EVENT_TYPES = Object.keys(DATA) as readonly EventType[];

/** Everything that can happen. */
export const EVENTS = Object.fromEntries(
  EVENT_TYPES.map((type): [EventType, EventDefinition] => [
    type,
    {
      schema: NEWEST[type] ?? 1,
      streams: STREAMS.filter(([, events]) => Object.hasOwn(events, type)).map(([kind]) => kind),
      data: DATA[type],
    },
  ]),
) as { readonly [T in EventType]: EventDefinition<T> };

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(EVENTS, type);
}
