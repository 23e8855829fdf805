/** Defined with the event that stores it. */
export { ToolDeclaration } from '../events/tool.ts';
