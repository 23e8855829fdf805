import { RULES } from './rules.ts';
import { playsAll } from './scenario.ts';
import { APPROVALS } from './scenarios-approvals.ts';

playsAll('Questions and approvals', APPROVALS, RULES);
