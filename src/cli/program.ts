import { Command, InvalidArgumentError, Option } from 'commander';
import pkg from '../../package.json' with { type: 'json' };
import { GAP_KINDS, GAP_OWNERS, VERDICT_KINDS } from '../events/vocabulary.ts';
import { askingCommands } from './asking-commands.ts';
import type { Io } from './io.ts';
import { mcpCommand } from './mcp-command.ts';

const EXIT_CODES = `
Exit codes: 0 done, all equal · 1 diverged, or past a threshold · 2 usage or bad input · 3 not replayable ·
4 integrity broken · 5 self-test failed, or an internal error.

The log is the last argument or --db, by default grounds.db.`;

const REFERENCES = `
A reference is the id of a call or run, the first four characters or more of one, or where an imported call stands:
file:line:message, as calls prints it. Of check, the "id" of the request will do.`;

/** The commands, each of which loads what it needs only when it is run. `exit` takes a code other than 0. */
export function programOf(io: Io, exit: (code: number) => void): Command {
  const program = new Command('grounds')
    .description(pkg.description)
    .version(pkg.version, '--version')
    .helpOption('-h, --help')
    .exitOverride()
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      // Errors are told in one place and one form: report-error.ts.
      outputError: () => {},
      getOutHelpWidth: () => io.width,
      getErrHelpWidth: () => io.width,
    })
    .addHelpText('after', EXIT_CODES);

  const command = (usage: string, description: string, under = program): Command =>
    under
      .command(usage)
      .description(description)
      .option('--json', 'print JSON: one object a line')
      .addOption(new Option('--stack', 'with an error, show where in the program it arose').hideHelp());
  const onLog = (usage: string, description: string, under = program): Command =>
    command(usage, description, under).option('--db <file>', 'the log (default: grounds.db)');

  onLog('audit <transcripts...>', 'record what the gate would have found for calls that already ran')
    .addOption(checklists())
    .addOption(tools())
    .option('-f, --format <name>', 'the format of the transcripts, where it should not be told from them')
    .addOption(rulesetOption())
    .option('--keep-going', 'skip faulty lines, list them at the end, and exit with 2')
    .option(
      '--fail-on <condition>',
      'without-grounds[=n]: exit with 1 where more than n (default 0) calls ran so',
    )
    .addOption(maxPages())
    .action(async (files: string[], options) => {
      const { audit } = await import('./commands/audit.ts');
      exit(await audit(io, files, options));
    });

  onLog('check <request> [log]', 'judge one request, or JSON lines of them, and record it (- is stdin)')
    .addOption(checklists())
    .addOption(tools())
    .addOption(rulesetOption())
    .addOption(maxPages())
    .addHelpText(
      'after',
      '\nExits with 0 only where every request is executable (or outside the gate), else with 1.',
    )
    .action(async (request: string, log: string | undefined, options) => {
      const { check } = await import('./commands/check.ts');
      exit(await check(io, request, log, options));
    });

  onLog(
    'why <ref> [log]',
    'why one call ran, or did not: each value with its place, the verdict, what happened',
  )
    .option('--no-replay', 'do not run the gate again')
    .addHelpText(
      'after',
      `${REFERENCES}\n\nExits with 4 where what the call rests on was changed, with 1 where its verdict does not replay.`,
    )
    .action(async (ref: string, log: string | undefined, options) => {
      const { why } = await import('./commands/why.ts');
      exit(await why(io, ref, log, options));
    });

  onLog('calls [log]', 'list the calls, one a line')
    .option('--tool <name>', 'only calls of this tool')
    .addOption(
      new Option('--verdict <kind>', 'only calls whose newest verdict is this').choices(VERDICT_KINDS),
    )
    .option('--without-grounds', 'only calls that ran without grounds')
    .option('--file <path>', 'only calls imported from this file: as it was named, or the end of its path')
    .option('--limit <n>', 'list at most so many calls', count)
    .option('--after <call>', 'only calls that stand after this one in the log')
    .action(async (log: string | undefined, options) => {
      const { calls } = await import('./commands/calls.ts');
      await calls(io, log, options);
    });

  onLog('show <ref> [log]', 'one call as it stands in the list, or the events behind it')
    .option('--events', 'print the events of its newest run, and what followed')
    .option('--all', 'print the events of all its runs')
    .addHelpText('after', REFERENCES)
    .action(async (ref: string, log: string | undefined, options) => {
      const { show } = await import('./commands/show.ts');
      await show(io, ref, log, options);
    });

  onLog('log [log]', 'the events in their order')
    .option('--stream <name>', 'only events of this stream, for example call/<id>')
    .option('--type <type>', 'only events of this type; may be given again', another)
    .option('--from <position>', 'begin at this position', count)
    .option('--to <position>', 'end before this position', count)
    .option('--limit <n>', 'print at most so many events', count)
    .option('--reverse', 'print the newest first')
    .action(async (file: string | undefined, options) => {
      const { log } = await import('./commands/log.ts');
      await log(io, file, options);
    });

  onLog('gaps [log]', 'what was not confirmed, and whose work that is')
    .option('--tool <name>', 'only gaps of this tool')
    .option('--slot <pattern>', 'only gaps of this slot, for example /items/*/id')
    .addOption(new Option('--kind <kind>', 'only gaps of this kind').choices(GAP_KINDS))
    .addOption(new Option('--owner <owner>', 'only gaps that are this one’s work').choices(GAP_OWNERS))
    .action(async (log: string | undefined, options) => {
      const { gaps } = await import('./commands/gaps.ts');
      await gaps(io, log, options);
    });

  onLog('replay [log]', 'prove it: check every event, and run the same gate again on what the log holds')
    .option('--only <ref>', 'only the runs of this call, or this run; all events are checked all the same')
    .option('--all', 'print what is equal, too')
    .option('--gates <folder>', 'where more frozen gates are; may be given again', another)
    .action(async (log: string | undefined, options) => {
      const { replay } = await import('./commands/replay.ts');
      exit(await replay(io, log, options));
    });

  command('demo', 'the whole story in one minute')
    .option('--keep', 'keep the log that it makes')
    .action(async (options) => {
      const { demo } = await import('./commands/demo.ts');
      exit(await demo(io, options));
    });

  command(
    'suggest <transcripts...>',
    'draft a checklist from what transcripts and tools show, for a person to review',
  )
    .addOption(tools())
    .option('-f, --format <name>', 'the format of the transcripts, where it should not be told from them')
    .option('--name <name>', 'the name of the checklist', 'draft/policy')
    .option('--no-examples', 'no example values: they may be data of persons')
    .option('--keep-going', 'skip faulty lines, list them at the end, and exit with 2')
    .addHelpText(
      'after',
      '\nThe draft declares nothing but the names of the tools: each guess is a commented line for a person to take.',
    )
    .action(async (files: string[], options) => {
      const { suggest } = await import('./commands/suggest.ts');
      exit(suggest(io, files, options));
    });

  onLog('execute <ref> [command...]', 'make a call whose recorded verdict allows it: a program as the tool')
    .usage('[options] <ref> -- <command...>')
    .addOption(keysOption())
    .option('--key <name>', 'sign the record with this key')
    .option('--name <name>', 'which executor this is (default: grounds and its version)')
    .option('--max-age <seconds>', 'how old a verdict may be (default: 600)', count)
    .option('--timeout <seconds>', 'how long the call may take (default: 300)', count)
    .addHelpText(
      'after',
      `\nThe program gets the arguments as JSON on its stdin, and GROUNDS_IDEMPOTENCY_KEY in its environment. What it prints is
the result; an exit code other than 0 is the tool's failure. Exits with 0 only where the call succeeded, else with 1.\n${REFERENCES}`,
    )
    .action(async (ref: string, program: string[], options) => {
      const { execute } = await import('./commands/execute.ts');
      exit(await execute(io, ref, program, options));
    });

  onLog('reconcile [log]', 'list the starts that nobody knows the end of, or settle one')
    .option('--start <id>', 'the start to settle')
    .addOption(new Option('--outcome <outcome>', 'what became of it').choices(['succeeded', 'failed']))
    .addOption(
      new Option('--by <how>', 'how that is known (default: reported)').choices(['reported', 'measured']),
    )
    .option('--user <id>', 'who reports it; the log keeps the id opaque')
    .option('--hook <name>', 'of a measurement: what measured')
    .option('--arguments <json>', 'of a measurement: what it was asked')
    .option('--result <text>', 'of a measurement: what it found')
    .addOption(keysOption())
    .option('--key <name>', 'sign the record with this key')
    .addHelpText('after', '\nThe list exits with 1 where there is any.')
    .action(async (log: string | undefined, options) => {
      const { reconcile } = await import('./commands/reconcile.ts');
      exit(await reconcile(io, log, options));
    });

  onLog('incident <ref> [log]', 'record that a call was wrong, and tell where that leads')
    .requiredOption('--text <text>', 'what was wrong, in a person’s words')
    .option('--slot <slot>', 'what was wrong, for example /amount; may be given again', another)
    .option('--happened-at <time>', 'when it happened, ISO 8601')
    .option('--user <id>', 'who says so; the log keeps the id opaque')
    .addHelpText('after', REFERENCES)
    .action(async (ref: string, log: string | undefined, options) => {
      const { incident } = await import('./commands/incident.ts');
      await incident(io, ref, log, options);
    });

  const keys = program
    .command('keys')
    .description('Ed25519 keys: make, list and show them, check what was signed');

  command('make <name>', 'make a key; its secret half stays in the folder', keys)
    .addOption(keysOption())
    .action(async (name: string, options) => {
      const { make } = await import('./commands/keys.ts');
      make(io, name, options);
    });

  command('list', 'list the keys of the folder', keys)
    .addOption(keysOption())
    .action(async (options) => {
      const { list } = await import('./commands/keys.ts');
      list(io, options);
    });

  command('show <name>', 'print the public half of a key', keys)
    .addOption(keysOption())
    .action(async (name: string, options) => {
      const { show } = await import('./commands/keys.ts');
      show(io, name, options);
    });

  onLog('verify <ref> [log]', 'check who signed what became of a call', keys)
    .addOption(keysOption())
    .addHelpText('after', REFERENCES)
    .action(async (ref: string, log: string | undefined, options) => {
      const { verify } = await import('./commands/keys.ts');
      exit(await verify(io, ref, log, options));
    });

  const records = program
    .command('records')
    .description('records of the reference skeleton: keep those it exported, write calls as it would');

  onLog('import <files...>', 'keep exported records (schema 1.4 to 1.8) as they came', records)
    .addOption(maxPages())
    .addHelpText(
      'after',
      '\nA file is JSON lines, or one record or an array of them. Importing it again adds nothing.',
    )
    .action(async (files: string[], options) => {
      const { importCommand } = await import('./commands/records-import.ts');
      await importCommand(io, files, options);
    });

  onLog('export [ref]', 'one call, or all, as records of schema 1.8; imported ones as they came', records)
    .addHelpText('after', REFERENCES)
    .action(async (ref: string | undefined, options) => {
      const { exportCommand } = await import('./commands/records-export.ts');
      await exportCommand(io, ref, options);
    });

  askingCommands(io, exit, {
    program,
    onLog,
    checklists,
    tools,
    ruleset: rulesetOption,
    references: REFERENCES,
  });

  mcpCommand(io, exit, { onLog, options: [checklists(), rulesetOption(), keysOption(), maxPages()] });

  command('schema [name]', 'print a published JSON Schema, or the names of all')
    .option('--write <folder>', 'write all of them, one file each')
    .action(async (name: string | undefined, options) => {
      const { schema } = await import('./commands/schema.ts');
      schema(io, name, options);
    });

  return program;
}

/** One file an option, so that a transcript after it is not taken for another. */
function checklists(): Option {
  return new Option('-c, --checklist <file>', 'whose rules to judge by; may be given again').argParser(
    another,
  );
}

function tools(): Option {
  return new Option(
    '-t, --tools <file>',
    'tool definitions: an MCP tools/list result, or a tools array; may be given again',
  ).argParser(another);
}

function keysOption(): Option {
  return new Option(
    '--keys <folder>',
    'the folder of the keys (default: GROUNDS_KEYS, else grounds/keys in the user’s own configuration)',
  );
}

function another(file: string, files: readonly string[] = []): readonly string[] {
  return [...files, file];
}

/** @throws InvalidArgumentError, which commander tells with the name of the option */
function count(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 0 up.');
}

function rulesetOption(): Option {
  return new Option('--ruleset <name>', 'inherit: a value may stand over from the last run of its action key')
    .choices(['standard', 'inherit'])
    .default('standard');
}

/** The largest size of the log's file, in pages of 4096 bytes: how a full disk is tried out. */
function maxPages(): Option {
  return new Option('--max-pages <n>').argParser(Number).hideHelp();
}
