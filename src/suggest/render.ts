import type { Draft } from './draft.ts';
export interface RenderOptions {
  readonly name?: string;
}
export function renderDraft(_d: Draft, _o: RenderOptions = {}): string {
  return '';
}
