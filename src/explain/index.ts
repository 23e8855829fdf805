export { renderDidYouMean, renderWhy, type View } from './render.ts';
export { type Explanation, explanationSchema, HEADLINES, type Where } from './schema.ts';
export { renderEvents, type ShownEvent, showEvents, shownEvent } from './show.ts';
export { columnsOf, cutMiddle, shown } from './shown.ts';
export { type ExplainOptions, explain } from './why.ts';
