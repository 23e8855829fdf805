export type * from './draft.ts';
export { type RenderOptions, renderDraft } from './render.ts';
export { type SuggestOptions, suggest } from './suggest.ts';
