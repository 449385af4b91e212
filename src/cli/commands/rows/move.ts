import type { Command, OptionValues } from 'commander';
import { moveTask, type TaskPlace } from '../../../app/actions/rows/moveTask';
import { Problem } from '../../../domain/problem';
import type { Act } from '../../action';
import { OK } from '../../exitCodes';
import { parseId } from '../../options/parseArguments';

/** Defines `move`, which changes a task's place among the rows. */
export function defineMove(program: Command, act: Act): void {
  const command = program
    .command('move')
    .description('move the row of a task; within a priority, tasks run in the order of their rows')
    .argument('<id>', 'the task')
    .option('--before <id>', 'move it before this task')
    .option('--first', 'move it before all other tasks')
    .option('--last', 'move it after all other tasks');
  act(command, (context, [text = ''], options) => {
    const id = parseId(text);
    const place = readPlace(options);
    if (typeof place === 'object' && place.before === id)
      throw new Problem('usage', `Task ${text} cannot be before itself. Name another task.`);
    return context.withQueue(async (queue) => {
      await moveTask(context, queue, id, place);
      context.system.out(`Moved task ${String(id)} ${describePlace(place)}.`);
      return OK;
    });
  });
}

/** @throws Problem `usage` */
function readPlace({ before, first, last }: OptionValues): TaskPlace {
  const given: readonly TaskPlace[] = [
    ...(typeof before === 'string' ? [{ before: parseId(before) }] : []),
    ...(first === true ? ['first' as const] : []),
    ...(last === true ? ['last' as const] : []),
  ];
  const [place] = given;
  if (place !== undefined && given.length === 1) return place;
  throw new Problem('usage', 'Give one of --before ID, --first and --last.');
}

function describePlace(place: TaskPlace): string {
  if (place === 'first') return 'before all other tasks';
  if (place === 'last') return 'after all other tasks';
  return `before task ${String(place.before)}`;
}
