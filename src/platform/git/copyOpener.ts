import { ScratchFolders } from '../files/scratchFolders';
import { systemProcesses } from '../processes/processes';
import { BlobSizes } from './indexFile/blobSizes';
import { createFindRepository, type FindRepository } from './findRepository';
import { type CopyOptions, openCopy, type RepositoryCopy } from './repositoryCopy';

/** Opens copies of repositories. What does not change is asked for once. */
export interface CopyOpener {
  readonly findRepository: FindRepository;
  /** Copies the repository of a directory. @throws GitFailure where there is none, among other reasons */
  readonly open: (workingDir: string, signal: AbortSignal) => Promise<RepositoryCopy>;
}

/** Options of all copies. */
export interface OpenerOptions
  extends Pick<CopyOptions, 'environment' | 'except'>, Partial<Pick<CopyOptions, 'scratch'>> {
  /** Folder of the user's own in which the sizes of objects are remembered; undefined: in memory only. */
  readonly sizesFolder?: string;
}

/** Longest time for one look at a directory, in ms. */
export const LONGEST_LOOK_MS = 10_000;

/** Returns an opener. A repository is asked for once while it stays where it is. */
export function createCopyOpener(options: OpenerOptions): CopyOpener {
  const { environment, except, scratch = new ScratchFolders(systemProcesses) } = options;
  const findRepository = createFindRepository(environment);
  const sizes = new BlobSizes(options.sizesFolder);
  return {
    findRepository,
    open: (workingDir, signal) =>
      openCopy(workingDir, { environment, except, scratch, findRepository, sizes }, signal),
  };
}
