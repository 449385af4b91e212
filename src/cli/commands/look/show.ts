import type { Command } from 'commander';
import { layFactsOut } from '../../../app/present/attempt';
import { describeTaskFacts } from '../../../app/approval/taskFacts';
import { peekViewModel } from '../../../app/viewModel/queueViewModel';
import type { Definition } from '../../../domain/task/task';
import type { Act } from '../../action';
import { OK } from '../../exitCodes';
import { describeChangedSince, layAttemptOut } from '../../output/attemptFacts';
import { attemptToJson } from '../../output/historyJson';
import { definitionAsJson, taskAsJson } from '../../../app/present/statusJson';
import { explainMissing } from '../../output/missingTask';
import { describeHead } from '../../output/taskHead';
import { revealInLine, revealInvisible } from '../../../platform/text/invisible';
import { redact } from '../../../platform/text/redact';
import { formatJson, parseId } from '../../options/parseArguments';

/** Defines `show`, which prints everything known about one task. */
export function defineShow(program: Command, act: Act): void {
  const command = program
    .command('show')
    .description('show a task: its state and reason, its row, its latest attempt')
    .argument('<id>', 'the task')
    .option('--json', 'print JSON, with all attempts');
  act(command, (context, [text = ''], { json }: { readonly json?: true }) => {
    const id = parseId(text);
    return context.withQueue(async (queue) => {
      const { tasks, snapshot, world } = await peekViewModel(context, queue);
      const shown = tasks.find(({ task }) => task.definition.id === id);
      if (shown === undefined) throw explainMissing(id, snapshot, context);
      const attempts = await queue.attempts({ id });
      if (json === true) {
        const { definition } = shown.task;
        const task = { ...taskAsJson(shown), ...definitionAsJson(definition) };
        context.system.out(formatJson({ ...task, attempts: attempts.map(attemptToJson) }));
        return OK;
      }
      context.system.out(describeHead(shown));
      context.system.out(layFactsOut(describeTaskFacts(shown, world.timeZone)));
      context.system.out(`\n${describePrompt(shown.task.definition)}`);
      const [newest] = attempts;
      if (newest === undefined) return OK;
      context.system.out(
        `\n${layAttemptOut(newest, { ...context.moment(), withMachine: context.redis !== null, isLatest: true })}`,
      );
      const changed = describeChangedSince(newest, shown.task);
      if (changed !== null) context.system.out(changed);
      return OK;
    });
  });
}

function describePrompt({ prompt, promptFile }: Definition): string {
  if (promptFile === undefined) return quote(prompt);
  return `${quote(prompt)}\n\n${revealInLine(promptFile.path)}:\n${quote(promptFile.text)}`;
}

/** Indents a text from outside, with its invisible characters visible and without secrets. */
function quote(text: string): string {
  return revealInvisible(redact(text)).trimEnd().replaceAll(/^/gm, '    ');
}
