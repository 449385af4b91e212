import { Problem } from '../../../domain/problem';
import type { Attempt } from '../../../domain/task/attempt';
import { placeOfAttempt } from '../../../domain/task/place';
import { t } from '../../../platform/text/translate';
import type { Snapshot, TaskQueue } from '../../../queue/taskQueue';
import { openKeptTrees } from '../../context/openKeptTrees';
import type { QueueContext } from '../../context/queueContext';
import { overlaps } from './settleUndos';

/** Attempts whose changes are undone, and the folder in which they ran. */
interface Undone {
  readonly attempts: readonly Attempt[];
  readonly folder: string;
}

/**
 * Refuses to undo attempts if another one ran at the same time in their folder, above or below it: its changes are among
 * theirs. One whose folder is not known counts too. @throws Problem `conflict`
 */
export async function refuseMixed(
  context: Pick<QueueContext, 'queueFile' | 'host'>,
  queue: Pick<TaskQueue, 'read' | 'attempts'>,
  { attempts, folder }: Undone,
): Promise<void> {
  const snapshot = await queue.read();
  const mixed: Attempt[] = [];
  for (const other of await queue.attempts({})) {
    if (!attempts.some((one) => ranTogether(one, other))) continue;
    const place = await findFolder(context, snapshot, other);
    if (place === undefined || overlaps(place, folder)) mixed.push(other);
  }
  if (mixed.length === 0) return;
  const names = mixed.map(({ id, number }) => `  ${t('Attempt {0} of task {1}', number, id)}`);
  throw new Problem(
    'conflict',
    [
      t('Nothing was undone: other attempts ran in {0}, above or below it at the same time.', folder),
      ...names,
      t('It is not known which of them changed a file.'),
    ].join('\n'),
  );
}

function ranTogether(one: Attempt, other: Attempt): boolean {
  if (one.id === other.id && one.number === other.number) return false;
  return other.startedAt < one.endedAt && one.startedAt < other.endedAt;
}

/** Returns the folder of an attempt. Older versions recorded it only with its trees. */
async function findFolder(
  context: Pick<QueueContext, 'queueFile' | 'host'>,
  { tasks }: Snapshot,
  attempt: Attempt,
): Promise<string | undefined> {
  const { place } =
    attempt.place === undefined ? ((await openKeptTrees(context).find(attempt)) ?? {}) : attempt;
  const row = tasks.find(({ definition }) => definition.id === attempt.id)?.definition;
  return placeOfAttempt(place === undefined ? {} : { place }, row)?.folder;
}
