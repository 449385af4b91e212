import type { Command } from 'commander';
import { answerTask, findQuestion, REDACTED_WORDS } from '../../../app/actions/tasks/answerTask';
import { refuseInsideAttempt } from '../../../app/actions/attempts/insideAttempt';
import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { OK } from '../../exitCodes';
import { parseId } from '../../options/parseArguments';
import { readUserText } from '../../options/userText';
import { showObstacles } from './decide';
import { quoteCommand } from '../../../platform/text/commandName';

/** Defines `answer`, which answers the question of a task in review. */
export function defineAnswer(program: Command, act: Act): void {
  const command = program
    .command('answer')
    .description(
      'answer a task\'s question; it resumes in its session; "-" reads the answer from standard input',
    )
    .argument('<id>', 'the task')
    .argument('[text...]', 'your answer (default without a terminal: standard input)');
  act(command, (context, [text = '', ...words]) => {
    const id = parseId(text);
    return context.withQueue(async (queue) => {
      const { system } = context;
      await refuseInsideAttempt(context, queue, 'answer questions');
      const question = await findQuestion(queue, id);
      const reply = { id, question, text: await readAnswer(context, words, id, question) };
      const { isRedacted } = await answerTask(context, queue, reply);
      if (isRedacted) system.err(REDACTED_WORDS);
      system.out(`Task ${String(id)} is pending again and resumes with your answer.`);
      await showObstacles(context, queue, [id]);
      return OK;
    });
  });
}

async function readAnswer(
  context: Context,
  words: readonly string[],
  id: TaskId,
  question: string,
): Promise<string> {
  const text = await readUserText(context, words);
  if (text !== null) return text;
  throw new Problem(
    'usage',
    `Task ${String(id)} asks: ${question}\nAnswer with ${quoteCommand(`answer ${String(id)} TEXT`)}.`,
  );
}
