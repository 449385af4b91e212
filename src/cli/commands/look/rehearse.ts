import type { Command } from 'commander';
import { MODE_WORDS } from '../../../app/present/permissionModes';
import type { Rehearsed } from '../../../app/checks/rehearsal';
import { describeRehearsal, nameTask } from '../../../app/present/rehearsal';
import { takeRehearsal } from '../../../app/checks/takeRehearsal';
import type { Act } from '../../action';
import { OK } from '../../exitCodes';
import { formatJson } from '../../options/parseArguments';
import { quoteCommand } from '../../../platform/text/commandName';

export function defineRehearse(program: Command, act: Act): void {
  const command = program
    .command('rehearse')
    .description(
      'dry run of the next 24 hours: show what may run, what never finished with its present permissions, and refusals',
    )
    .option('--json', 'print JSON');
  act(command, (context, _args, { json }: { readonly json?: true }) =>
    context.withQueue(async (queue) => {
      const rehearsed = await takeRehearsal(context, queue);
      const text = describeRehearsal(rehearsed, (one) => quoteCommand(`allow ${nameTask(one)}`));
      context.system.out(json === true ? toJson(rehearsed) : text);
      return OK;
    }),
  );
}

/** JSON of a dry run: the contract of `rehearse --json`. */
function toJson(rehearsed: readonly Rehearsed[]): string {
  return formatJson({
    tasks: rehearsed.map(({ shown, permissions, isApproved, isTrusted, hasRun, refused, lacks }) => ({
      id: shown.task.definition.id,
      workingDir: shown.task.definition.workingDir,
      mode: permissions.mode,
      means: MODE_WORDS[permissions.mode],
      tools: permissions.tools,
      approved: isApproved,
      trusted: isTrusted,
      hasRun,
      lacks,
      refused: refused.map(({ tool, detail, rule }) => ({ tool, detail, rule: rule ?? null })),
    })),
  });
}
