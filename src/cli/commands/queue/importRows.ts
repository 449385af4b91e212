import type { Command, OptionValues } from 'commander';
import { withShared } from '../../../app/context/withShared';
import { importRows, type ImportedRows } from '../../../app/actions/rows/importRows';
import { count } from '../../../app/present/text';
import { peekViewModel } from '../../../app/viewModel/queueViewModel';
import type { SharedQueue } from '../../../queue/sharedQueue';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { OK } from '../../exitCodes';

/** Defines `import`, which adds the rows of a queue file to a queue in Redis. */
export function defineImport(program: Command, act: Act): void {
  const command = program
    .command('import')
    .description('add the rows of a CSV file to a queue in Redis (all or none)')
    .argument('<file>', 'the CSV file')
    .option('--renumber', 'give the rows new ids, also in the dependencies between them');
  act(command, add);
}

function add(context: Context, [file = '']: readonly string[], options: OptionValues): Promise<number> {
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

async function describeImport(
  context: Context,
  queue: SharedQueue,
  { count: all, ids, hasLocalTimes }: ImportedRows,
): Promise<readonly string[]> {
  const fresh = new Set(ids);
  const { tasks } = await peekViewModel(context, queue);
  const imported = tasks.filter(({ task }) => fresh.has(task.definition.id));
  const unapproved = imported.filter(({ reason }) => reason.shown === 'unapproved').length;
  const { timeZone } = context.configuration.last;
  const invalid = all - imported.length;
  return [
    ...(invalid > 0 ? [`Invalid: ${count(invalid, 'row')}. See "claude-queue check".`] : []),
    ...(unapproved > 0 ? [`Unapproved: ${count(unapproved, 'task')}. See "claude-queue approve".`] : []),
    ...(hasLocalTimes && timeZone !== context.system.timeZone
      ? [`Times without a zone are in the queue's time zone, ${timeZone}.`]
      : []),
  ];
}
