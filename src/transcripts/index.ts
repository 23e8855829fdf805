export type {
  ArgumentsFault,
  CallArguments,
  Conversation,
  ConversationCall,
  ConversationSegment,
  Origin,
} from './conversation.ts';
export { detectFormat, FORMATS } from './formats.ts';
export { DEFAULT_SERVER } from './openai-tools.ts';
export { type ReadOptions, readTranscripts } from './read.ts';
