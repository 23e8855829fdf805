import { z } from 'zod';
import type { AskedQuestion } from '../preflight/waiting.ts';

const Asked = z.strictObject({
  id: z.string(),
  about: z.enum(['intent', 'tool', 'slots', 'approval']),
  call: z.string().nullable(),
  request: z.string(),
  text: z.string(),
  slots: z.array(z.strictObject({ slot: z.string(), prior: z.json().exactOptional() })),
  shown: z.array(z.strictObject({ slot: z.string(), value: z.json() })),
  notices: z.array(z.string()),
}) satisfies z.ZodType<AskedQuestion>;

/** The last line of `answer --json` and `approve --json`, where something was recorded. */
const Reply = z.strictObject({
  event: z.string(),
  call: z.string().nullable(),
  request: z.string(),
  misfits: z.array(z.string()),
  open: z.array(Asked),
});

const SettingLine = z.union([
  z.strictObject({
    kind: z.literal('setting'),
    name: z.string(),
    value: z.json(),
    none: z.boolean(),
    satisfies: z.array(z.strictObject({ tool: z.string(), slot: z.string(), within: z.string() })),
    known_by: z.enum(['typed', 'form', 'channel', 'caller']),
    at: z.string(),
  }),
  z.strictObject({
    kind: z.literal('proposed'),
    tool: z.string(),
    slot: z.string(),
    value: z.json(),
    none: z.boolean(),
    times: z.number().int(),
    setting: z.string().nullable(),
    from: z.strictObject({ call: z.string(), answer: z.string(), slot: z.string() }),
  }),
]);

/** A question that waits: one line of `answer --json` where nothing is answered. */
export function questionJsonSchema(): unknown {
  return z.toJSONSchema(Asked, { target: 'draft-2020-12' });
}

export function replyJsonSchema(): unknown {
  return z.toJSONSchema(Reply, { target: 'draft-2020-12' });
}

/** One line of `settings list --json`. */
export function settingLineJsonSchema(): unknown {
  return z.toJSONSchema(SettingLine, { target: 'draft-2020-12' });
}

/** Whether a line is what the published schema says; for tests. */
export function fitsSchema(name: 'question' | 'reply' | 'setting-line', value: unknown): boolean {
  return { question: Asked, reply: Reply, 'setting-line': SettingLine }[name].safeParse(value).success;
}
