import { z } from 'zod';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Lower case, so that one id has one text. */
export const Uuid = z.string().regex(UUID, 'a lower-case UUID');
export type Uuid = string;

/** When something was recorded: UTC, milliseconds, one form only. */
export const Instant = z.string().regex(INSTANT, 'UTC with milliseconds: 2026-01-31T09:30:00.000Z');

export const isUuid = (text: string): boolean => UUID.test(text);
export const isInstant = (text: string): boolean => INSTANT.test(text);

/** A time of the world's: ISO 8601 with seconds and a zone. */
export const ZonedTime = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
    'ISO 8601 with a zone: 2026-01-31T09:30:00-05:00',
  );
