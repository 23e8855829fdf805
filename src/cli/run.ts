import { type Command, CommanderError } from 'commander';
import type { GroundsError } from '../errors.ts';
import type { Io } from './io.ts';
import { programOf } from './program.ts';
import { reportError, usage } from './report-error.ts';

/**
 * Runs one command line (without `node` and the script).
 * @returns the exit code: 0 all equal or done · 1 diverged, or past a threshold · 2 usage or bad input · 3 not replayable ·
 * 4 integrity broken · 5 self-test failed, or an internal error
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const options = argv.slice(0, argv.indexOf('--') === -1 ? argv.length : argv.indexOf('--'));
  const errors = { json: options.includes('--json'), stack: options.includes('--stack') };
  let exit = 0;
  try {
    const program = programOf(io, (code) => {
      exit = code;
    });
    if (argv.length === 0) {
      io.err(program.helpInformation());
      return 2;
    }
    await program.parseAsync(namesCommand(program, argv) ? [...argv] : withoutHelp(argv), { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      return reportError(misused(error, argv[0]), io, errors);
    }
    return reportError(error, io, errors);
  }
}

/** Help is shown of a command that there is; one that there is not is told so, help or no help. */
function namesCommand(program: Command, [first]: readonly string[]): boolean {
  return (
    first === undefined ||
    first.startsWith('-') ||
    first === 'help' ||
    program.commands.some((command) => command.name() === first)
  );
}

function withoutHelp(argv: readonly string[]): string[] {
  return argv.filter((each) => each !== '--help' && each !== '-h');
}

function misused(error: CommanderError, command: string | undefined): GroundsError {
  // A command of commands, alone: commander has shown which there are.
  if (error.code === 'commander.help')
    return usage(`${command} does nothing by itself.`, 'Add one of its commands.');
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const suggestion = rest.join(' ').replace(/^\((.*)\)$/, '$1');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, '')}.`;
  const known =
    error.code !== 'commander.unknownCommand' && command !== undefined && !command.startsWith('-');
  const help = `See grounds ${known ? `${command} ` : ''}--help.`;
  return usage(sentence, suggestion === '' ? help : `${suggestion} ${help}`);
}
