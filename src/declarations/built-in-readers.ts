/** The readers that need no declaration (RULES R8). Apart from the schemas, so that the gate has them without zod. */
export const BUILT_IN_READERS = [
  'text',
  'text_fold',
  'integer',
  'decimal',
  'money',
  'boolean',
  'date',
  'datetime',
  'url',
  'web_address',
] as const;
