export { renderWhy, type View } from './render.ts';
export { type Explanation, explanationSchema, type Where } from './schema.ts';
export { renderEvents, type ShownEvent, showEvents, shownEvent } from './show.ts';
export { type ExplainOptions, explain } from './why.ts';
