import type { Command } from 'commander';
import { type UndoResult, undoTask } from '../../../app/actions/undo/undoTask';
import { count } from '../../../app/present/text';
import {
  describeDependents,
  describeKept,
  describePermissions,
  describeUndid,
  describeUndoOverlap,
  describeUndoScope,
} from '../../../app/present/undo';
import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import { revealInLine } from '../../../platform/text/invisible';
import type { Act } from '../../action';
import { confirm } from '../../ask';
import type { Context } from '../../context';
import { FAILED, NOTHING, OK } from '../../exitCodes';
import { formatJson, parseCount, parseId } from '../../options/parseArguments';

interface UndoOptions {
  readonly attempt?: string;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** Defines `undo`, which restores the files that a task changed. */
export function defineUndo(program: Command, act: Act): void {
  const command = program
    .command('undo')
    .description('restore all files that changed in its folder while a task ran, or none')
    .argument('<id>', 'the task')
    .option(
      '--attempt <number>',
      'undo only this attempt (default: all of the task in its present form since it last succeeded)',
    )
    .option('--dry-run', 'only print what would be restored')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON');
  act(command, async (context, [text = ''], options: UndoOptions) => {
    const { system } = context;
    const id = parseId(text);
    const isDryRun = options.dryRun === true;
    const number = options.attempt === undefined ? {} : { number: parseCount(options.attempt) };
    const result = await context.withQueue((queue) =>
      undoTask(
        context,
        queue,
        { id, ...number, isDryRun, confirm: (planned) => agree(context, id, planned, options) },
        (sentence) => {
          system.err(sentence);
        },
      ),
    );
    if (result === null) {
      system.out('Nothing was changed.');
      return NOTHING;
    }
    const isUndone = result.overlaps.length === 0;
    if (options.json === true) {
      const { numbers, ...rest } = result;
      system.out(formatJson({ id, attempts: numbers, undone: isUndone && !isDryRun, ...rest }));
    } else if (isUndone) system.out(describe(id, result, isDryRun));
    else system.err(describeUndoOverlap(id, result));
    return isUndone ? OK : FAILED;
  });
}

/** Lists what would be done, and asks for a yes. @throws Problem `usage` if nobody can be asked */
async function agree(
  { system }: Context,
  id: TaskId,
  planned: UndoResult,
  { yes, json }: UndoOptions,
): Promise<boolean> {
  if (yes === true) return true;
  if (system.keyboard === null || json === true)
    throw new Problem(
      'usage',
      'There is no terminal to ask on. Use --yes to undo this, or --dry-run to preview it.',
    );
  system.out(describe(id, planned, true));
  return confirm(system, 'Undo these changes?');
}

function describe(id: TaskId, result: UndoResult, isDryRun: boolean): string {
  const { folder, kept, files } = result;
  return [
    isDryRun ? describePlanned(id, result) : describeUndid(id, result),
    ...files.map(({ path, action }) => `  ${action.padEnd(8)}  ${revealInLine(path)}`),
    describeUndoScope(id, folder),
    ...describePermissions(result),
    ...(kept === null ? [] : [describeKept(kept)]),
    ...describeDependents(id, result),
  ].join('\n');
}

function describePlanned(id: TaskId, { numbers, files }: UndoResult): string {
  const attempts = `${numbers.length === 1 ? 'attempt' : 'attempts'} ${numbers.join(', ')}`;
  return `Would undo ${attempts} of task ${String(id)}: ${count(files.length, 'file')}.`;
}
