import { Problem } from '../../domain/problem';
import { folderOf, type Definition } from '../../domain/task/task';
import { findFolder, type Repositories } from '../../platform/files/repositories';

/**
 * Refuses a working directory that changed since the row was read and approved: a link may point elsewhere now, or a
 * repository may be in another folder.
 * The attempt starts in the folder with links resolved, so a later change of a link has no effect.
 * @throws Problem `folder-moved`
 */
export function refuseMoved(definition: Definition, repositories: Repositories = new Map()): void {
  const { id, workingDir } = definition;
  const approved = folderOf(definition);
  const found = findFolder(workingDir, repositories);
  if (found.kind === 'here' && found.folder === approved) return;
  const now =
    found.kind === 'elsewhere'
      ? 'is in a repository that is no longer on this machine'
      : `now points to ${found.folder}, not to ${approved}`;
  throw new Problem(
    'folder-moved',
    `Task ${String(id)} was not started: its working directory ${workingDir} ${now}.`,
  );
}
