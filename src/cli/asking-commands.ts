import { type Command, Option } from 'commander';
import type { Io } from './io.ts';

/** What the commands of asking, deferring and keeping share with the others. */
export interface Made {
  readonly program: Command;
  readonly onLog: (usage: string, description: string, of?: Command) => Command;
  readonly checklists: () => Option;
  readonly tools: () => Option;
  readonly ruleset: () => Option;
  readonly references: string;
}

const NO_HOOKS = `
A command line has no hooks: what was answered is used once the call is judged again, by the program that judged it.`;

/** answer, approve, trigger, settings. */
export function askingCommands(io: Io, exit: (code: number) => void, made: Made): void {
  const { program, onLog, checklists, tools, ruleset, references } = made;

  onLog('answer <ref> [log]', 'what waits for the user at a call; or answer it, by slot')
    .option('--slot </pointer=value>', 'the value of a slot as it was typed; may be given again', another)
    .option('--none </pointer>', 'there is none; may be given again', another)
    .option(
      '--earlier </pointer>',
      'the earlier value that was shown, once more; may be given again',
      another,
    )
    .option('--text <words>', 'what the user means, in their own words')
    .option('--user <id>', 'who answers; the log holds an opaque id')
    .addOption(knownBy())
    .addHelpText('after', `${references}\nSo is the id of a question, or its beginning.\n${NO_HOOKS}`)
    .action(async (ref: string, log: string | undefined, options) => {
      const { answer } = await import('./commands/answer.ts');
      await answer(io, ref, log, options);
    });

  onLog('approve <ref> [log]', 'approve the values that a question shows, or decline them')
    .option('--decline', 'say no')
    .option('--user <id>', 'who says so; the log holds an opaque id')
    .addOption(knownBy())
    .addHelpText('after', `${references}\nSo is the id of a question, or its beginning.\n${NO_HOOKS}`)
    .action(async (ref: string, log: string | undefined, options) => {
      const { approve } = await import('./commands/answer.ts');
      await approve(io, ref, log, options);
    });

  onLog('trigger [ref] [log]', 'what waits for its trigger, and till when; or a trigger fired: judge anew')
    .addOption(
      new Option('--by <what>', 'what fired').choices(['clock', 'event', 'threshold']).default('clock'),
    )
    .option('--detail <json>', 'what it said of itself')
    .option('--user <id>', 'whose settings to look up')
    .addOption(checklists())
    .addOption(tools())
    .addOption(ruleset())
    .addHelpText(
      'after',
      `${references}\n\nWithout a call, or with a log's name alone (.db, .sqlite), it lists those that wait, with the time that is due. A clock triggers no call before.
Without --checklist the call is judged by the newest versions in the log. Exits with 0 only where it is executable.`,
    )
    .action(async (ref: string | undefined, log: string | undefined, options) => {
      const { trigger } = await import('./commands/trigger.ts');
      exit(await trigger(io, ref, log, options));
    });

  const settings = program
    .command('settings')
    .description('what a user settled for later, with their consent');

  onLog('list [log]', 'what is kept, and what was given again and again', settings)
    .requiredOption('--user <id>', 'whose')
    .addOption(checklists())
    .addOption(tools())
    .addOption(ruleset())
    .action(async (log: string | undefined, options) => {
      const { list } = await import('./commands/settings.ts');
      await list(io, log, options);
    });

  onLog('keep <name> <ref> <slot> [log]', 'keep what was answered or executed for a slot of a call', settings)
    .requiredOption('--user <id>', 'whose it is, and who consents')
    .option('--satisfies <label>', 'a [Verify] label of the call’s tool that it satisfies, --within a range')
    .option('--within <expression>', 'CEL over args and now: args.amount <= 100')
    .addOption(knownBy())
    .action(async (name: string, ref: string, slot: string, log: string | undefined, options) => {
      const { keep } = await import('./commands/settings.ts');
      await keep(io, { name, ref, slot }, log, options);
    });

  onLog('revoke <name> [log]', 'take a setting back', settings)
    .requiredOption('--user <id>', 'whose it is, and who takes it back')
    .addOption(knownBy())
    .action(async (name: string, log: string | undefined, options) => {
      const { revoke } = await import('./commands/settings.ts');
      await revoke(io, name, log, options);
    });
}

function knownBy(): Option {
  return new Option('--known-by <how>', 'how it is known that it was they')
    .choices(['typed', 'form', 'channel', 'caller'])
    .default('caller');
}

function another(given: string, before: readonly string[] = []): readonly string[] {
  return [...before, given];
}
