export { argumentsOf } from './arguments.ts';
export { failedResult } from './conversation.ts';
export { type Driven, drive, driveInRounds } from './drive.ts';
export { locate } from './locator/index.ts';
export { rulesFor } from './rules-for.ts';
export { isGated } from './scope.ts';
export { step } from './step.ts';
export type { Digest, Entry, Proposal, RunInput, Step, StepFunction } from './types.ts';
