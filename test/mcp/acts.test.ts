import { RULES } from './rules.ts';
import { playsAll } from './scenario.ts';
import { ACTS } from './scenarios-acts.ts';

playsAll('Acts and what they rest on', ACTS, RULES);
