import type { Command, OptionValues } from 'commander';
import { exportRows, writeExport } from '../../../app/actions/rows/exportRows';
import { Problem } from '../../../domain/problem';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { OK } from '../../exitCodes';

const STANDARD_OUTPUT = '-';

/** Defines `export`, which writes the rows of a queue as a queue file. */
export function defineExport(program: Command, act: Act): void {
  const command = program
    .command('export')
    .description('write the rows of the queue as CSV, with the current status of the tasks')
    .argument('[file]', 'file to write (default: standard output)', STANDARD_OUTPUT)
    .option('--force', 'replace the file if it exists');
  act(command, write);
}

function write(context: Context, [file]: readonly string[], options: OptionValues): Promise<number> {
  const { system } = context;
  if (file === '')
    throw new Problem('usage', 'The name of the file is empty. Give a name, or "-" for standard output.');
  return context.withQueue(async (queue) => {
    if (file === undefined || file === STANDARD_OUTPUT) {
      await system.outExactly(await exportRows(context, queue));
    } else {
      await writeExport(context, queue, file, { force: options['force'] === true });
      system.out(`Exported the queue to ${file}.`);
    }
    return OK;
  });
}
