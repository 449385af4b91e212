import type { Command, OptionValues } from 'commander';
import { withShared } from '../../../app/context/withShared';
import { isCheckList, type ImportPlan, type PlannedRow } from '../../../app/actions/rows/importPlan';
import { importRows, readFile, type ImportedRows } from '../../../app/actions/rows/importRows';
import { importTasks, prepareImport } from '../../../app/actions/rows/importTasks';
import { count } from '../../../app/present/text';
import type { TaskId } from '../../../domain/task/task';
import { peekViewModel } from '../../../app/viewModel/queueViewModel';
import type { SharedQueue } from '../../../queue/sharedQueue';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { FAILED, OK } from '../../exitCodes';
import { quoteCommand } from '../../../platform/text/commandName';

/** Defines `import`, which adds the rows of a CSV file or a Markdown check-list. */
export function defineImport(program: Command, act: Act): void {
  const command = program
    .command('import')
    .description('add the rows of a CSV file, or the open items of a Markdown check-list; they need approval')
    .argument('<file>', 'the CSV file, or a check-list that ends with .md')
    .option('--renumber', 'in Redis: give the rows of a CSV file new ids, as a queue in a file always does');
  act(command, add);
}

function add(context: Context, [file = '']: readonly string[], options: OptionValues): Promise<number> {
  if (context.redis === null || isCheckList(file)) return addPlanned(context, file);
  const renumber = options['renumber'] === true;
  return withShared(context, async (queue) => {
    const imported = await importRows(context, queue, file, { renumber });
    const [first = 0] = imported.ids;
    const last = imported.ids.at(-1) ?? first;
    const ids = renumber && imported.count > 0 ? `, with ids ${String(first)} to ${String(last)}` : '';
    context.system.out(`Imported ${count(imported.count, 'row')} from ${file}${ids}.`);
    for (const note of await describeImport(context, queue, imported)) context.system.out(note);
    return OK;
  });
}

/** Adds the rows of a file that are not done, all or none of them. */
function addPlanned(context: Context, file: string): Promise<number> {
  const { system } = context;
  return context.withQueue(async (queue) => {
    const bytes = await readFile(context, file);
    const plan = await prepareImport(context, queue, { name: file, bytes, folder: context.here });
    const chosen = plan.rows.filter(({ isDone }) => !isDone);
    const wrong = chosen.filter(({ problems }) => problems.length > 0);
    for (const row of wrong)
      for (const problem of row.problems)
        system.err(`${file}:${String(row.line)}, row ${String(row.number)}: ${problem}`);
    if (wrong.length > 0) {
      system.err('Nothing was imported.');
      return FAILED;
    }
    const ids = await importTasks(context, queue, { plan, chosen, from: file });
    const done = plan.rows.length - chosen.length;
    const started = chosen.filter(({ formerStatus }) => formerStatus !== null);
    for (const line of describeImported({ ...plan, ids, done, started }, file)) system.out(line);
    return OK;
  });
}

async function describeImport(
  context: Context,
  queue: SharedQueue,
  { count: all, ids, hasLocalTimes, placed }: ImportedRows,
): Promise<readonly string[]> {
  const fresh = new Set(ids);
  const { tasks } = await peekViewModel(context, queue);
  const imported = tasks.filter(({ task }) => fresh.has(task.definition.id));
  const unapproved = imported.filter(({ reason }) => reason.state === 'unapproved').length;
  const { timeZone } = context.configuration.last;
  const invalid = all - imported.length;
  return [
    ...(placed > 0
      ? [`Relative working directories are those of this machine now: ${count(placed, 'row')}.`]
      : []),
    ...(invalid > 0 ? [`Invalid: ${count(invalid, 'row')}. See ${quoteCommand('check')}.`] : []),
    ...(unapproved > 0 ? [`Unapproved: ${count(unapproved, 'task')}. See ${quoteCommand('approve')}.`] : []),
    ...(hasLocalTimes && timeZone !== context.system.timeZone
      ? [`Times without a zone are in the queue's time zone, ${timeZone}.`]
      : []),
  ];
}

/** Result of an import. */
interface Imported extends Pick<ImportPlan, 'ignored' | 'unclear'> {
  readonly ids: readonly TaskId[];
  /** Number of rows that were left out because they have ended. */
  readonly done: number;
  /** Rows that were added as pending, though the file says otherwise. */
  readonly started: readonly PlannedRow[];
}

/** Describes an import: the tasks that were added, and the parts of the file that were left out. */
function describeImported(
  { ids, done, started, ignored, unclear }: Imported,
  file: string,
): readonly string[] {
  const [first = 0] = ids;
  const last = ids.at(-1) ?? first;
  const range = ids.length > 1 ? ` (${String(first)} to ${String(last)})` : ` (${String(first)})`;
  return [
    `Imported ${count(ids.length, 'task')} from ${file}${ids.length === 0 ? '' : range}.`,
    ...(done > 0 ? [`Left out, because they have ended: ${count(done, 'row')}.`] : []),
    ...(ignored.length > 0
      ? [`Left out, because they are no columns of a queue: ${ignored.join(', ')}.`]
      : []),
    ...(unclear.length > 0
      ? [`Left out, because their box is neither [ ] nor [x]: ${listLines(unclear)}.`]
      : []),
    ...(started.length > 0 ? [describeStarted(started)] : []),
    ...(ids.length > 0 ? [`They need approval: ${quoteCommand('approve')}.`] : []),
  ];
}

function listLines(lines: readonly number[]): string {
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`;
}

function describeStarted(rows: readonly PlannedRow[]): string {
  const statuses = [...new Set(rows.map(({ formerStatus }) => formerStatus))].sort().join(', ');
  return `Pending as new tasks, though the file has them as ${statuses}: ${count(rows.length, 'row')}.`;
}
