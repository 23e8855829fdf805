import { RULES } from './rules.ts';
import { playsAll } from './scenario.ts';
import { VALUES } from './scenarios-values.ts';

playsAll('Values that were not said', VALUES, RULES);
