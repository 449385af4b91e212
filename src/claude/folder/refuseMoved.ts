import { Problem } from '../../domain/problem';
import type { Place } from '../../domain/task/place';
import type { TaskId } from '../../domain/task/task';
import { findFolder, type Repositories } from '../../platform/files/repositories';

/**
 * Refuses a place that changed since the row was read and approved: a link may point elsewhere now, or a repository may be
 * in another folder.
 * The attempt starts in the folder with links resolved, so a later change of a link has no effect.
 * @throws Problem `folder-moved`
 */
export function refuseMoved(
  id: TaskId,
  { folder, through = folder }: Place,
  repositories: Repositories = new Map(),
): void {
  const found = findFolder(through, repositories);
  if (found.kind === 'here' && found.folder === folder) return;
  const now =
    found.kind === 'elsewhere'
      ? 'is in a repository that is no longer on this machine'
      : `now points to ${found.folder}, not to ${folder}`;
  throw new Problem(
    'folder-moved',
    `Task ${String(id)} was not started: its working directory ${through} ${now}.`,
  );
}
