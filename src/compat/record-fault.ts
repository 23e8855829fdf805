import { GroundsError } from '../errors.ts';
import { faultMessage, type IngressFault } from '../events/ingress.ts';
import { isObject, type Json } from '../events/json.ts';
import { pointerOf } from '../events/pointer.ts';
import type { Origin } from '../events/run.ts';
import { SKELETON_VERSIONS, SkeletonRecord } from './skeleton-record.ts';

/** Where a record stands: its file and line. */
type At = Pick<Origin, 'file' | 'line'>;

/**
 * Checks a received value; it is never changed, so that what is kept is what came.
 * @throws GroundsError `record/version`, `record/shape`
 */
export function requireRecord(value: Json, at: At): { readonly version: string } {
  const said = isObject(value) ? value.schema_version : undefined;
  if (!isObject(value) || said === undefined) {
    throw fault('shape', at, isObject(value) ? 'it has no schema_version' : 'it is no object', SHAPE_HINT);
  }
  if (typeof said !== 'string' || !(SKELETON_VERSIONS as readonly string[]).includes(said)) {
    throw fault('version', at, `schema_version is ${JSON.stringify(said)}`, VERSION_HINT, { version: said });
  }
  const result = SkeletonRecord.safeParse(value);
  if (result.success) return { version: said };
  const issue = result.error.issues[0];
  const pointer = pointerOf((issue?.path ?? []).map(String));
  throw fault(
    'shape',
    at,
    `${JSON.stringify(pointer)} is not as it should be: ${issue?.message}`,
    SHAPE_HINT,
    {
      pointer,
    },
  );
}

/** What can't be kept exactly is refused, and quoted: to read on would change what was recorded. */
export function notExact(received: IngressFault, at: At): GroundsError {
  const line = at.line + received.line - 1;
  const told = faultMessage({ ...received, line }).replace(/\.$/, '');
  const { pointer, code, lexeme } = received;
  return fault('not-exact', { ...at, line }, told, EXACT_HINT, { pointer, fault: code, lexeme });
}

const SHAPE_HINT = 'Compare it with the published schema: grounds schema skeleton-record.';
const VERSION_HINT = `Records of the versions ${SKELETON_VERSIONS.join(', ')} are read.`;
const EXACT_HINT =
  'A record is kept to the letter or not at all. Write big or long numbers as strings, and each key once, then import again.';

function fault(
  code: 'shape' | 'version' | 'not-exact',
  { file, line }: At,
  what: string,
  hint: string,
  facts: Record<string, unknown> = {},
): GroundsError {
  return new GroundsError(`record/${code}`, `${file}, line ${line}: ${what}.`, {
    facts: { file, line, ...facts },
    hint,
  });
}
