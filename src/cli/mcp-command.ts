import { type Command, InvalidArgumentError, type Option } from 'commander';
import type { Io } from './io.ts';

/** What `grounds mcp` shares with the other commands. */
export interface Shared {
  readonly onLog: (usage: string, description: string) => Command;
  /** Options: the checklists, the ruleset, the folder of keys, the size at which a log is full. */
  readonly options: readonly Option[];
}

/** mcp. */
export function mcpCommand(io: Io, exit: (code: number) => void, { onLog, options }: Shared): void {
  const command = onLog(
    'mcp [command...]',
    'stand between an MCP host and an MCP server: a gate before its tools',
  );
  for (const option of options) command.addOption(option);
  command
    .usage('[options] -- <server command...>')
    .option('--checklists <files...>', 'the same as --checklist, several at once')
    .option('--user <id>', 'whose host this is, where the host does not say; opaque in the log')
    .option('--name <name>', 'what the server is called in the log (default: what it calls itself)')
    .option('--key <name>', 'sign what is executed with this key')
    .option(
      '--listen <port>',
      'hosts come to this port over streamable HTTP, instead of stdin and stdout',
      count,
    )
    .option('--address <address>', 'where to listen (default: 127.0.0.1)')
    .option('--upstream <url>', 'the server is there, over streamable HTTP')
    .option('--header <header>', 'sent to --upstream with each request; may be given again', another)
    .option(
      '--timeout <seconds>',
      'how long a call may take; then its outcome is unknown (default: 60)',
      count,
    )
    .option('--patience <seconds>', 'how long the user may take to answer (default: 600)', count)
    .addHelpText(
      'after',
      '\nstdout carries the protocol and nothing else. It ends with its host, or on a signal; with 1 where the server went away.',
    )
    .action(async (server: string[], given) => {
      const { mcp } = await import('./commands/mcp.ts');
      exit(await mcp(io, server, given));
    });
}

function another(one: string, before: readonly string[] = []): readonly string[] {
  return [...before, one];
}

/** @throws InvalidArgumentError, which commander tells with the name of the option */
function count(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 0 up.');
}
