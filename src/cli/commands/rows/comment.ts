import type { Command } from 'commander';
import { commentTask, describeCommented, REDACTED_COMMENT } from '../../../app/actions/tasks/commentTask';
import { Problem } from '../../../domain/problem';
import type { Act } from '../../action';
import { OK } from '../../exitCodes';
import { parseId } from '../../options/parseArguments';
import { readUserText } from '../../options/userText';
import { showObstacles } from './decide';
import { quoteCommand } from '../../../platform/text/commandName';

/** Defines `comment`, which comments on what a task did. */
export function defineComment(program: Command, act: Act): void {
  const command = program
    .command('comment')
    .description(
      'comment on what a task did; it runs again in the same session with your comment; "-" reads it from standard input',
    )
    .argument('<id>', 'the task')
    .argument('[text...]', 'your comment (default without a terminal: standard input)');
  act(command, (context, [idText = '', ...words]) => {
    const id = parseId(idText);
    return context.withQueue(async (queue) => {
      const { system } = context;
      const text = await readUserText(context, words);
      if (text === null)
        throw new Problem(
          'usage',
          `Comment on task ${idText} with ${quoteCommand(`comment ${idText} TEXT`)}.`,
        );
      const { isRedacted } = await commentTask(context, queue, id, text);
      if (isRedacted) system.err(REDACTED_COMMENT);
      system.out(describeCommented(id, 1));
      await showObstacles(context, queue, [id]);
      return OK;
    });
  });
}
