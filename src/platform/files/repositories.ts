import * as path from 'node:path';
import { isRepository, parseRepository } from '../../domain/task/repository';
import { expandHome } from './allowedDirectories';
import { isBelow, realFolder } from './paths';

/** Absolute folders of this machine's repositories, by name. */
export type Repositories = ReadonlyMap<string, string>;

/** Folder of a working directory on this machine. */
export type FoundFolder =
  | {
      readonly kind: 'here';
      /** Absolute path, with links resolved where that is possible. */
      readonly folder: string;
      /** Real folder of the repository, if the machine's owner named it through a link. */
      readonly linkedRepository?: string;
    }
  /** This machine does not have its repository. */
  | { readonly kind: 'elsewhere' }
  /** A link leads out of its repository. */
  | { readonly kind: 'outside'; readonly folder: string; readonly repository: string };

/**
 * Finds the folder of a working directory: an absolute path, or `repo:NAME/folder`. The owner of the machine chose the
 * repository's folder; links in it must not lead out of it.
 */
export function findFolder(
  workingDir: string,
  repositories: Repositories,
  resolveLinks = realFolder,
): FoundFolder {
  if (!isRepository(workingDir)) return { kind: 'here', folder: resolveLinks(workingDir) };
  const named = parseRepository(workingDir);
  const mapped = named === null ? undefined : repositories.get(named.name);
  if (named === null || mapped === undefined) return { kind: 'elsewhere' };
  const repository = resolveLinks(mapped);
  const folder = resolveLinks(path.join(repository, named.folder));
  if (!isBelow(folder, repository)) return { kind: 'outside', folder, repository };
  return { kind: 'here', folder, ...(repository === mapped ? {} : { linkedRepository: repository }) };
}

/** Returns a folder as rows of several machines name it: `repo:NAME/folder`, or itself where no repository has it. */
export function nameFolder(folder: string, repositories: Repositories): string {
  for (const [name, mapped] of repositories) {
    const repository = realFolder(mapped);
    if (isBelow(folder, repository))
      return path.posix.join(`repo:${name}`, path.relative(repository, folder));
  }
  return folder;
}

/** Returns the setting `repositories` with absolute folders; `~` is the user's home. */
export function resolveRepositories(folders: Repositories, home: string): Repositories {
  return new Map([...folders].map(([name, folder]) => [name, expandHome(folder, home)]));
}
