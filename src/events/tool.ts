import { z } from 'zod';
import { JsonValue } from './content-schema.ts';
import { Digest } from './verdict.ts';

/** A tool as its provider declares it. The digest of its canonical bytes is its version: a changed word is another tool. */
export const ToolDeclaration = z.strictObject({
  server: z.string(),
  name: z.string().min(1),
  description: z.string().nullable(),
  /** null: none came with the tool, which is not the same as a schema that requires nothing. */
  input_schema: JsonValue.nullable(),
  annotations: JsonValue.nullable(),
});
export type ToolDeclaration = z.infer<typeof ToolDeclaration>;

/** `tool/<server>/<name>`: one event a digest; declaring the same again adds nothing, a changed word is another tool. */
export const TOOL_EVENTS = {
  ToolDeclared: z.strictObject({ digest: Digest, tool: ToolDeclaration }),
};
