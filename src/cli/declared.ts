import { loadChecklistFile } from '../checklist-files.ts';
import type { ToolDeclaration } from '../declarations/tool.ts';
import { loadToolsFile } from '../declarations/tools.ts';
import type { RunInput } from '../gate/index.ts';
import { GATE_DIGEST } from '../gate-digest.ts';
import type { Declared } from '../runs/declared.ts';
import { usage } from './report-error.ts';

export interface DeclaredOptions {
  readonly checklist?: readonly string[];
  readonly tools?: readonly string[];
  readonly ruleset: RunInput['ruleset'];
}

/**
 * What a command line declares.
 * @throws GroundsError `checklist/…`, `tools/…`, `file/…`, and `cli/usage` where two files say different things of one name
 */
export function declaredBy(options: DeclaredOptions): Declared {
  const checklists = (options.checklist ?? []).map((file) => {
    const { checklist, digest } = loadChecklistFile(file);
    return { file, digest, body: checklist };
  });
  checklists.forEach(({ file, body }, index) => {
    const first = checklists.findIndex(
      (other) => other.body.checklist === body.checklist && other.body.declared_by === body.declared_by,
    );
    if (first === index) return;
    throw usage(
      `${checklists[first]?.file} and ${file} are both the ${body.declared_by}'s checklist ${body.checklist}.`,
      'Give one version of each checklist.',
    );
  });
  const tools = new Map<string, ToolDeclaration>();
  for (const file of options.tools ?? []) {
    for (const tool of loadToolsFile(file).tools) {
      const known = tools.get(tool.name);
      if (known !== undefined) {
        throw usage(
          `The tool ${tool.name} stands in two of the files of --tools.`,
          'A call names only the tool: give one definition of it.',
          { file },
        );
      }
      tools.set(tool.name, tool);
    }
  }
  return {
    checklists: checklists.map(({ digest, body }) => ({ digest, body })),
    unsound: [],
    tools,
    gate: GATE_DIGEST,
    ruleset: options.ruleset,
  };
}
