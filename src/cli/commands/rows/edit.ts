import type { Command, OptionValues } from 'commander';
import { editTask, type Edited } from '../../../app/actions/rows/editTask';
import { peekViewModel, type TaskViewModel } from '../../../app/viewModel/queueViewModel';
import { describeLacks } from '../../../app/checks/taskRequirements';
import { describeDropped } from '../../../app/present/rowChanges';
import { shorten } from '../../../app/present/text';
import { Problem } from '../../../domain/problem';
import type { ShownState } from '../../../domain/reasons/reason';
import type { Act } from '../../action';
import { addCellOptions, readCells, readPrompt, type Cells } from '../../options/cellOptions';
import type { Context } from '../../context';
import { OK } from '../../exitCodes';
import { parseId } from '../../options/parseArguments';
import { quoteCommand } from '../../../platform/text/commandName';

export function defineEdit(program: Command, act: Act): void {
  const command = program
    .command('edit')
    .description('change a task; "" clears a column')
    .argument('<id>', 'the task')
    .option('--prompt <prompt>', 'the prompt; "-" reads it from standard input');
  act(addCellOptions(command), edit);
}

const VALUE_WIDTH = 60;

async function edit(
  context: Context,
  [text = '']: readonly string[],
  options: OptionValues,
): Promise<number> {
  const { system } = context;
  const id = parseId(text);
  const cells = await readEdit(context, options);
  return context.withQueue(async (queue) => {
    const edited = await editTask(context, queue, id, cells);
    const changes = Object.entries(cells).map(
      ([column, value]) => `${column} ${value === '' ? '(empty)' : shorten(value, VALUE_WIDTH)}`,
    );
    system.out(`Changed task ${String(id)}: ${changes.join(', ')}.`);
    for (const note of describeEffect(edited, cells)) system.out(note);
    const { tasks } = await peekViewModel(context, queue);
    const shown = tasks.find((one) => one.task.definition.id === id);
    if (edited.task === null || shown === undefined)
      system.out(`Its row is invalid: see ${quoteCommand('check')}.`);
    else for (const note of describeNext(shown, cells)) system.out(note);
    if (edited.task !== null) for (const lack of await describeLacks(context, queue, [id])) system.err(lack);
    return OK;
  });
}

/** Says what else an edit means for Claude. */
function describeEffect({ task, dropped }: Edited, { prompt, prompt_file: chosen }: Cells): string[] {
  const promptFile = task?.definition.promptFile;
  const isTitle = prompt !== undefined && chosen === undefined && promptFile !== undefined;
  return [
    ...(isTitle ? [`The prompt is only its title: Claude gets the text of ${promptFile.path}.`] : []),
    ...(dropped === null ? [] : [describeDropped(dropped)]),
  ];
}

/** States from which a task runs again only once the user retries it. */
const ENDED: Readonly<Partial<Record<ShownState, string>>> = {
  completed: 'completed',
  cancelled: 'cancelled',
  dead: 'failed',
  review: 'in review',
};

/** Columns that an attempt reads only at its start, and that can be changed while it runs. */
const LIMITS: readonly string[] = ['timeout', 'max_turns', 'max_budget_usd'];

/** Says what the user has to do for an edited task to run, or that its running attempt does not follow the edit. */
function describeNext({ task, reason: { state } }: TaskViewModel, cells: Cells): string[] {
  const { id } = task.definition;
  if (task.claim?.owner.kind === 'process' && LIMITS.some((column) => cells[column] !== undefined))
    return ['The running attempt keeps its earlier limits.'];
  if (state === 'unapproved')
    return [`It needs approval to run on this machine: ${quoteCommand(`approve ${String(id)}`)}.`];
  const ended = ENDED[state];
  return ended === undefined ? [] : [`It is ${ended}: ${quoteCommand(`retry ${String(id)}`)} runs it again.`];
}

async function readEdit(context: Context, options: OptionValues): Promise<Cells> {
  const { prompt, ...others } = options;
  const cells = await readCells(context, others);
  const whole =
    typeof prompt === 'string' ? { prompt: await readPrompt(context.system, prompt), ...cells } : cells;
  if (Object.keys(whole).length > 0) return whole;
  throw new Problem('usage', 'Name what to change, such as --priority high or --prompt "…". See --help.');
}
