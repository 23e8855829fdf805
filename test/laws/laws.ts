import type { Law } from './law.ts';
import { FORM_LAWS } from './laws-of-form.ts';
import { ORDER_LAWS } from './laws-of-order.ts';
import { SOURCE_LAWS } from './laws-of-sources.ts';

/** The laws of the gate, by their numbers in the project's list; those of logs and replay stand with the replayer. */
export const LAWS: readonly Law[] = [...ORDER_LAWS, ...SOURCE_LAWS, ...FORM_LAWS].sort((a, b) => a.id - b.id);
