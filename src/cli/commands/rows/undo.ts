import type { Command } from 'commander';
import { type UndoResult, undoTask } from '../../../app/actions/undo/undoTask';
import { count } from '../../../app/present/text';
import { describeUndoOverlap } from '../../../app/present/attemptChanges';
import type { TaskId } from '../../../domain/task/task';
import type { Act } from '../../action';
import { FAILED, OK } from '../../exitCodes';
import { formatJson, parseCount, parseId } from '../../options/parseArguments';

interface UndoOptions {
  readonly attempt?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

/** Defines `undo`, which restores the files that a task changed. */
export function defineUndo(program: Command, act: Act): void {
  const command = program
    .command('undo')
    .description('restore the files that a task changed, all or none')
    .argument('<id>', 'the task')
    .option('--attempt <number>', 'undo only this attempt (default: all since the task last succeeded)')
    .option('--dry-run', 'only print what would be restored')
    .option('--json', 'print JSON');
  act(command, async (context, [text = ''], options: UndoOptions) => {
    const { system } = context;
    const id = parseId(text);
    const isDryRun = options.dryRun === true;
    const number = options.attempt === undefined ? {} : { number: parseCount(options.attempt) };
    const result = await context.withQueue((queue) =>
      undoTask(context, queue, { id, ...number, isDryRun }, (sentence) => {
        system.err(sentence);
      }),
    );
    const isUndone = result.overlaps.length === 0;
    if (options.json === true) {
      const { numbers, ...rest } = result;
      system.out(formatJson({ id, attempts: numbers, undone: isUndone && !isDryRun, ...rest }));
    } else if (isUndone) system.out(describe(id, result, isDryRun));
    else system.err(describeUndoOverlap(id, result.overlaps));
    return isUndone ? OK : FAILED;
  });
}

function describe(id: TaskId, { numbers, files }: UndoResult, isDryRun: boolean): string {
  const attempts = `${numbers.length === 1 ? 'attempt' : 'attempts'} ${numbers.join(', ')}`;
  const verb = isDryRun ? 'Would undo' : 'Undid';
  const head = `${verb} ${attempts} of task ${String(id)}: ${count(files.length, 'file')}.`;
  return [head, ...files.map(({ path, action }) => `  ${action.padEnd(8)}  ${path}`)].join('\n');
}
