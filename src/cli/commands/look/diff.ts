import type { Command } from 'commander';
import {
  type AttemptChanges,
  findChanges,
  type FoundChanges,
  readTrees,
} from '../../../app/actions/attempts/attemptChanges';
import { openKeptTrees } from '../../../app/context/openKeptTrees';
import { describeLeftOut, describeMissing } from '../../../app/present/attemptChanges';
import { describeUndone } from '../../../app/present/undo';
import type { TaskId } from '../../../domain/task/task';
import { Problem } from '../../../domain/problem';
import type { ChangedFile } from '../../../platform/git/treeDiff';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { OK } from '../../exitCodes';
import { formatJson, parseCount, parseId } from '../../options/parseArguments';
import type { Line } from '../../output/line';
import { colourPatch, colourStat } from '../../output/patchLines';

interface DiffOptions {
  readonly attempt?: string;
  readonly stat?: true;
  readonly json?: true;
}

/** Defines `diff`, which prints the changes of a task's attempt. */
export function defineDiff(program: Command, act: Act): void {
  const command = program
    .command('diff')
    .description("print what a task's latest attempt changed, as a patch")
    .argument('<id>', 'the task')
    .option('--attempt <number>', 'print the changes of this attempt')
    .option('--stat', 'print only the names of the files, and how much changed in each')
    .option('--json', 'print the changed files as JSON');
  act(command, async (context, [text = ''], options: DiffOptions) => {
    const id = parseId(text);
    const number = options.attempt === undefined ? undefined : parseCount(options.attempt);
    if (options.stat === true && options.json === true)
      throw new Problem('usage', 'Give --stat or --json: not both.');
    const changes = await context.withQueue((queue) => findChanges(context, queue, id, number));
    if (number === undefined) noteUnended(context, changes);
    if (changes.missing !== null && changes.missing !== 'unchanged')
      throw new Problem('no-diff', describeMissing(changes));
    const { attempt } = changes;
    if (attempt?.undoneAt !== undefined) context.system.err(describeUndone(attempt));
    if (options.json === true) context.system.out(await toJson(context, changes, id));
    else if (changes.missing !== null) context.system.err(describeMissing(changes));
    else await print(context, changes, options.stat === true);
    return OK;
  });
}

/** Says that the latest attempt is not the one whose changes are shown. */
function noteUnended({ system }: Context, { attempt, unended }: AttemptChanges): void {
  if (unended !== null && attempt !== null) system.err(describeMissing(unended));
}

/** Prints a patch that `git apply` takes. For a terminal it is text in which nothing is hidden. */
async function print(context: Context, { kept, attempt }: FoundChanges, isStat: boolean): Promise<void> {
  const { system } = context;
  const isForUser = system.columns !== null || system.hasColours();
  const stat = `--stat=${String(system.columns ?? USUAL_COLUMNS)}`;
  const patch = isForUser ? [] : ['--binary'];
  const trees = openKeptTrees(context);
  const bytes = await readTrees(attempt, () => trees.diffOf(kept).print(isStat ? [stat] : patch, NEVER));
  if (!isForUser) await system.outExactly(bytes);
  else for (const line of colour(bytes.toString('utf8'), isStat)) system.out(line);
  for (const one of kept.leftOut) system.err(describeLeftOut(one));
}

/** Width without a terminal, as git has it. */
const USUAL_COLUMNS = 80;

/** An interrupt ends git too. */
const NEVER = new AbortController().signal;

function colour(text: string, isStat: boolean): Line[] {
  if (text === '') return [];
  const lines = text.replace(/\n$/, '').split('\n');
  return isStat ? colourStat(lines) : colourPatch(lines);
}

/** JSON of the changes: the contract of `diff --json`. */
async function toJson(context: Context, changes: AttemptChanges, id: TaskId): Promise<string> {
  const { attempt, kept } = changes;
  const trees = openKeptTrees(context);
  const files =
    attempt === null || kept === null ? [] : await readTrees(attempt, () => trees.diffOf(kept).list(NEVER));
  return formatJson({
    id,
    attempt: attempt?.number ?? null,
    files: files.map((file) => ({ path: file.path, status: statusOf(file) })),
    leftOut: kept?.leftOut ?? [],
  });
}

function statusOf({ before, after }: ChangedFile): 'added' | 'deleted' | 'modified' {
  if (before === null) return 'added';
  return after === null ? 'deleted' : 'modified';
}
