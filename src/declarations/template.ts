/** The names of a template's parts, in order: `{amount} was sent to {name}.` has `amount` and `name`. */
export function templateParts(template: string): string[] {
  return [...template.matchAll(/\{([a-z][a-z0-9_]*)\}/g)].map((found) => found[1] ?? '');
}

/**
 * Why a template can't be read back without guessing, or null. Two parts with nothing between them could be cut
 * anywhere; braces have no other meaning.
 */
export function templateFault(template: string): string | null {
  const fixed = template.split(/\{[a-z][a-z0-9_]*\}/);
  if (fixed.some((words) => words.includes('{') || words.includes('}'))) {
    return 'A brace here is no {name} part (lower-case letters, digits and _).';
  }
  const parts = templateParts(template);
  if (parts.length === 0) return 'The template has no {name} part.';
  if (new Set(parts).size < parts.length) return 'Two parts have the same name.';
  if (fixed.slice(1, -1).includes('')) return 'Two parts stand side by side: nothing says where one ends.';
  if (fixed.every((words) => !/[A-Za-z0-9]/.test(words)))
    return 'The template has no fixed words: any text would fit.';
  return null;
}
