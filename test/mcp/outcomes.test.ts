import { RULES } from './rules.ts';
import { playsAll } from './scenario.ts';
import { OUTCOMES } from './scenarios-outcomes.ts';

playsAll('What became of a call', OUTCOMES, RULES);
