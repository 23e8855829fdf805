import { z } from 'zod';
import { JsonValue } from './content-schema.ts';
import { Said } from './responder.ts';
import { Digest, Party } from './verdict.ts';

/** `checklist/<owner>/<name>`: one event a digest; a checklist changes by a new version, declaring it again adds nothing. */
export const CHECKLIST_EVENTS = {
  ChecklistDeclared: z.strictObject({
    digest: Digest,
    /** Whose rules these are. */
    declared_by: Party,
    /** Who wrote them down, where that is another: an opaque id or a role. */
    written_by: z.string().nullable(),
    /** Where a user said it, of a rule that was added in conversation (R19). */
    place: Said.nullable(),
    /** As declared. It is stored even where it can't be read: the verdict then says so. */
    body: JsonValue,
  }),
};
