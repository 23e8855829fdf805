export type { GivenChecklist } from './checklists.ts';
export {
  agent,
  type GivenConversation,
  pasted,
  type Said,
  system,
  thirdParty,
  tool,
  user,
  type When,
} from './conversation.ts';
export {
  answer,
  answerNone,
  approval,
  baseline,
  type GivenEntry,
  match,
  notice,
  setting,
  settingNone,
  standingRange,
  timing,
  toolName,
  trigger,
} from './entries.ts';
export type { Expectation, SlotExpectation, SlotExpected } from './expectation.ts';
export {
  type Given,
  type GivenTool,
  given,
  type ProposalOptions,
  type Proposed,
  type Surroundings,
} from './given.ts';
