import type { Definition } from './task';

/**
 * Working directory in a repository, as a row writes it: `repo:NAME`, or `repo:NAME/folder` for a folder in it. Each
 * machine has the repository in a folder of its own.
 */
export interface RepositoryPath {
  readonly name: string;
  /** Path in the repository; empty: the repository itself. */
  readonly folder: string;
}

const PREFIX = 'repo:';

/** Whether a text names a repository, rightly or not. */
export function isRepository(workingDir: string): boolean {
  return workingDir.startsWith(PREFIX);
}

/** Whether this may be the name of a repository. */
export function isRepositoryName(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]*$/i.test(name);
}

/** Parses `repo:NAME/folder`; null: the name is invalid, or the folder has a part `..`. */
export function parseRepository(workingDir: string): RepositoryPath | null {
  const [name = '', ...parts] = workingDir.slice(PREFIX.length).split('/');
  if (!isRepositoryName(name) || parts.includes('..')) return null;
  return { name, folder: parts.filter((part) => part !== '' && part !== '.').join('/') };
}

/** Formats a repository path; the same folder has one text, on every machine. */
export function formatRepository({ name, folder }: RepositoryPath): string {
  return `${PREFIX}${name}${folder === '' ? '' : `/${folder}`}`;
}

/** Returns the name of the repository that a row needs and this machine does not have; null: it lacks none. */
export function missingRepository({
  workingDir,
  realDir,
}: Pick<Definition, 'workingDir' | 'realDir'>): string | null {
  if (realDir !== undefined || !isRepository(workingDir)) return null;
  return parseRepository(workingDir)?.name ?? '';
}
