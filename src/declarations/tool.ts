/** Defined with the event that stores it. */
export { ToolDeclaration } from '../events/tool.ts';

/** The server of a tool where nothing says which server it is of. */
export const DEFAULT_SERVER = 'default';
