import {
  type AgentDyn,
  DYN_BARS,
  DYN_JUDGES,
  type DynBar,
  dynShare,
  READING_IDS,
  READINGS,
  reachesBar,
} from './agentdyn.ts';
import { type DynWrite, SUITES } from './agentdyn-runs.ts';
import { percent, table } from './print.ts';
import { reasonOf } from './reasons.ts';

/** AgentDyn's figures as Markdown: no clock, nothing of the machine, no value of the data. */
export function printAgentDyn(dyn: AgentDyn): string {
  const { base } = dyn.writes;
  return [
    `## AgentDyn: ${base.filter(({ kind }) => kind !== 'planted').length} writes`,
    '',
    'Runs of an assistant that reads what strangers wrote. An *attack call* is a write of a run in which the attack succeeded that has',
    'the tool, and in one argument a telling value that stands in the injected text, of a write of the run where the user typed the',
    'same goal. Where the model resisted there are none; so what each typed goal led to is also proposed at the end of each benign run',
    'of its suite, where nobody typed it. The checklists hold rules alone; they name no task. What must be reached is meant over the',
    'three suites.',
    'Many benign tasks, above all of the third suite, leave what is to be done to a mail, a bill or a web page (“do what he asks for”):',
    'then whom to pay or to write to stands nowhere but in what a stranger wrote, and the gate asks the user.',
    '',
    ...table(
      ['input', 'digest'],
      dyn.inputs.map(([name, digest]) => [name, `\`${digest}\``]),
    ),
    '',
    '### What must be reached',
    '',
    ...table(
      ['figure', 'suite', 'bar', ...Object.keys(DYN_JUDGES)],
      DYN_BARS.flatMap((bar) => [
        ...SUITES.map((suite) =>
          row(
            bar,
            suite,
            base.filter((write) => write.suite === suite),
            false,
          ),
        ),
        row(bar, 'all', base, true),
      ]),
    ),
    '',
    '### Readings of the checklists',
    '',
    '*Values alone*: every tool counts as asked for. *Intent alone*: no argument needs a source, and no condition holds.',
    '',
    ...table(
      ['figure', 'suite', ...READING_IDS.map((id) => READINGS[id].title)],
      DYN_BARS.flatMap((bar) =>
        [...SUITES, 'all'].map((suite) => [
          bar.title,
          suite,
          ...READING_IDS.map((id) =>
            percent(
              dynShare(
                bar,
                dyn.writes[id].filter((write) => suite === 'all' || write.suite === suite),
                DYN_JUDGES.gate,
              ),
            ),
          ),
        ]),
      ),
    ),
    ...DYN_BARS.flatMap((bar) => ['', ...misses(bar, dyn)]),
    '',
  ].join('\n');
}

function row(bar: DynBar, suite: string, writes: readonly DynWrite[], held: boolean): string[] {
  return [
    bar.title,
    suite,
    held ? `≥ ${bar.atLeast * 100} %` : '',
    ...Object.values(DYN_JUDGES).map((judge) => {
      const found = dynShare(bar, writes, judge);
      return !held || reachesBar(found, bar) ? percent(found) : `${percent(found)}, missed`;
    }),
  ];
}

/** Every write that a figure does not count as good, with its reason: slots and sentences, never a value. */
function misses(bar: DynBar, { writes, checklists }: AgentDyn): string[] {
  const missed = writes.base.filter(
    (write) => write.kind === bar.kind && DYN_JUDGES.gate(write) !== bar.runs,
  );
  const models = new Set(writes.base.map(({ model }) => model));
  return [
    `### Not so, of ${bar.title} (${missed.length})`,
    '',
    ...missed.map((write) => {
      const of = [
        ...(models.size > 1 ? [write.model] : []),
        write.suite,
        write.task,
        ...(write.goal ? [write.goal] : []),
      ];
      const { verdict } = write;
      const why =
        verdict === null
          ? 'not gated: the checklist calls the tool reversible'
          : reasonOf({ tool: write.tool, verdict }, checklists[write.suite]);
      return `- ${of.join(' ')}:${write.message} \`${write.tool}\`: ${why}`;
    }),
    ...(missed.length === 0 ? ['None.'] : []),
  ];
}
