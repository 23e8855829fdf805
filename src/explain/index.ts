export { incidentsOf } from './incidents.ts';
export { renderWhy, type View } from './render.ts';
export { type Explanation, explanationSchema, type Where } from './schema.ts';
export { eventsBehind, renderEvents, type ShownEvent, shownEvent } from './show.ts';
export { type ExplainOptions, explain } from './why.ts';
