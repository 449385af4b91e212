import type { Command } from 'commander';
import { peekViewModel } from '../../../app/viewModel/queueViewModel';
import type { Act } from '../../action';
import { OK } from '../../exitCodes';
import { rowProblemsAsJson, taskAsJson } from '../../../app/present/statusJson';
import { addFilterOptions, readFilter, type FilterOptions } from '../../output/taskFilter';
import { formatJson } from '../../options/parseArguments';

/** Defines `list`, which prints only the tasks. */
export function defineList(program: Command, act: Act): void {
  const command = program
    .command('list')
    .alias('ls')
    .description('list unfinished tasks and the reason for each state')
    .option('--json', 'print JSON: all tasks, or those that the options select');
  act(addFilterOptions(command), (context, _args, options: FilterOptions & { readonly json?: true }) => {
    const filter = readFilter(options);
    return context.withQueue(async (queue) => {
      const viewModel = await peekViewModel(context, queue);
      if (options.json === true) {
        const tasks = viewModel.tasks.filter(filter.fits).map(taskAsJson);
        const problems = filter.hasInvalid ? rowProblemsAsJson(viewModel.snapshot, context.queueFile) : [];
        context.system.out(formatJson({ tasks, problems }));
        return OK;
      }
      const { listTasks } = await import('../../output/taskList');
      for (const line of listTasks(viewModel, filter, context)) context.system.out(line);
      return OK;
    });
  });
}
