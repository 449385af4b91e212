import { Problem } from '../../../domain/problem';
import { sinceLastSuccess, type Attempt } from '../../../domain/task/attempt';
import type { TaskId } from '../../../domain/task/task';
import type { LeftOut } from '../../../platform/git/fileLook';
import { decode } from '../../../platform/git/fileNames';
import type { KeptChange } from '../../../platform/git/keptTrees';
import type { ObjectFormat } from '../../../platform/git/bareRepository';
import { type RawDifference, SUBMODULE } from '../../../platform/git/rawDiff';
import { t } from '../../../platform/text/translate';
import { chainChanges, type ChainedChanges } from '../../../platform/undo/chainChanges';
import type { TaskQueue } from '../../../queue/taskQueue';
import { openKeptTrees } from '../../context/openKeptTrees';
import type { QueueContext } from '../../context/queueContext';
import { describeLeftOut, describeMissing } from '../../present/attemptChanges';
import { type AttemptChanges, findChanges, readTrees } from '../attempts/attemptChanges';
import { refuseMixed } from './refuseMixed';

/** Attempts whose changes are undone together. */
export interface UndoneAttempts extends ChainedChanges {
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
  readonly place: NonNullable<KeptChange['place']>;
  readonly format: ObjectFormat;
}

interface FoundDifferences {
  readonly attempt: Attempt;
  readonly kept: KeptChange;
  readonly differences: readonly RawDifference[];
}

const NEVER = new AbortController().signal;

/**
 * Returns what a task's attempts changed: this one, or all of its present form since it last succeeded.
 * @throws Problem `no-such-task`, `conflict` if it was undone, changed nothing or another ran there at the same time,
 * `no-diff` if not all changes are known
 */
export async function findUndoable(
  context: Pick<QueueContext, 'queueFile' | 'host'>,
  queue: Pick<TaskQueue, 'read' | 'attempts'>,
  id: TaskId,
  number?: number,
): Promise<UndoneAttempts> {
  const newest = await findChanges(context, queue, id, number);
  const { attempt } = newest;
  if (attempt === null) throw noDiff(newest);
  refuseUndone(attempt);
  const attempts = number === undefined ? await findTogether(queue, attempt) : [attempt];
  const found: FoundDifferences[] = [];
  for (const one of attempts) {
    const changes = await findChanges(context, queue, id, one.number);
    if (changes.missing === 'unchanged') continue;
    if (changes.missing !== null) throw unknown(describeMissing(changes), attempts, id);
    const { kept } = changes;
    const trees = openKeptTrees(context);
    found.push({
      attempt: one,
      kept,
      differences: await readTrees(one, () => trees.diffOf(kept).listExact(NEVER)),
    });
  }
  const [first] = found;
  if (first === undefined) throw new Problem('conflict', t('Task {0} changed no file that git sees.', id));
  for (const one of found) refuseUnknown(one.kept, one.differences, id);
  const { place, format } = first.kept;
  if (place === undefined || found.some(({ kept }) => kept.place?.folder !== place.folder))
    throw unknown(t('It is not known in which folder the attempts of task {0} ran.', id), attempts, id);
  await refuseMixed(context, queue, { attempts: found.map(({ attempt }) => attempt), folder: place.folder });
  return { ...chainChanges(found.map(({ differences }) => differences)), attempts, place, format };
}

/** Returns an attempt and those before it whose work it continued, oldest first. */
async function findTogether(
  queue: Pick<TaskQueue, 'attempts'>,
  { id, power }: Attempt,
): Promise<readonly Attempt[]> {
  // The attempts of another row with this id did other work.
  const own = (await queue.attempts({ id })).filter((one) => one.power === power);
  return sinceLastSuccess(own).toReversed();
}

function noDiff(changes: AttemptChanges): Problem {
  return new Problem('no-diff', changes.missing === null ? '' : describeMissing(changes));
}

function refuseUndone({ id, number, undoneAt }: Attempt): void {
  if (undoneAt === undefined) return;
  throw new Problem('conflict', t('The changes of attempt {0} of task {1} were undone already.', number, id));
}

/** Refuses changes of which something is not known. */
function refuseUnknown({ leftOut }: KeptChange, differences: readonly RawDifference[], id: TaskId): void {
  const submodules = differences
    .filter(({ before, after }) => [before?.mode, after?.mode].includes(SUBMODULE))
    .map(({ path }): LeftOut => ({ path: `${decode(path)}/`, why: 'repository' }))
    .filter(({ path }) => !leftOut.some((one) => one.path === path));
  const unknown = [...leftOut, ...submodules];
  if (unknown.length === 0) return;
  const lines = unknown.map(describeLeftOut);
  throw new Problem(
    'no-diff',
    [t('Nothing was undone, because not all changes of task {0} are known.', id), ...lines].join('\n'),
  );
}

/** Says that nothing was undone, and how to undo one of several attempts. */
function unknown(why: string, { length }: readonly Attempt[], id: TaskId): Problem {
  const nothing =
    length === 1
      ? t('Nothing was undone.')
      : t('Nothing was undone. To undo one attempt, run "claude-queue undo {0} --attempt N".', id);
  return new Problem('no-diff', `${why} ${nothing}`);
}
