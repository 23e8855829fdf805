export {
  type ArgumentsFault,
  CANNOT_TELL,
  type CallArguments,
  type CannotTell,
  type Conversation,
  type ConversationAnswer,
  type ConversationCall,
  type ConversationSegment,
  type Origin,
} from './conversation.ts';
export { detectFormat, FORMATS } from './formats.ts';
export { type ReadOptions, readTranscripts } from './read.ts';
