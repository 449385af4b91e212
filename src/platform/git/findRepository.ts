import { type Stats, statSync } from 'node:fs';
import * as path from 'node:path';
import { cleanEnvironment, createGit, GitFailure } from './git';
import { isObjectFormat, type ObjectFormat } from './bareRepository';

/** Paths of a repository, and its object format. */
export interface Repository {
  readonly top: string;
  readonly objects: string;
  readonly index: string;
  readonly exclude: string;
  readonly format: ObjectFormat;
}

/** Returns the repository of a directory. @throws GitFailure where there is none, among other reasons */
export type FindRepository = (workingDir: string, signal: AbortSignal) => Promise<Repository>;

/** Returns a function that asks git for a repository, and again only when a `.git` that decides it has changed. */
export function createFindRepository(environment: NodeJS.ProcessEnv): FindRepository {
  const known = new Map<string, { readonly stamp: string; readonly repository: Repository }>();
  return async (workingDir, signal) => {
    const stamp = stampOf(workingDir);
    const before = known.get(workingDir);
    if (before?.stamp === stamp) return before.repository;
    const repository = await askGit(workingDir, environment, signal);
    known.set(workingDir, { stamp, repository });
    return repository;
  };
}

/** Asks by a command that reads the repository's configuration and acts on none of it. */
async function askGit(
  workingDir: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Repository> {
  const git = createGit(workingDir, cleanEnvironment(environment));
  const names = ['objects', 'index', 'info/exclude'];
  const parts = names.flatMap((part) => ['--git-path', part]);
  const out = await git(['rev-parse', '--show-toplevel', ...parts, '--show-object-format'], signal);
  const [top, objects, index, exclude, format, ...rest] = out.trimEnd().split('\n');
  if (!isObjectFormat(format) || rest.length > 0)
    throw new GitFailure('A path has a line break in it, or the object format is unknown.');
  const full = (part = ''): string => path.resolve(workingDir, part);
  const files = { objects: full(objects), index: full(index), exclude: full(exclude) };
  return { top: full(top), ...files, format };
}

/** Returns a text that changes when a repository is made, moved or configured in the directory or above it. */
function stampOf(directory: string): string {
  const stamp = stampOfGit(path.join(directory, '.git'));
  const parent = path.dirname(directory);
  return parent === directory ? stamp : `${stamp}\n${stampOf(parent)}`;
}

function stampOfGit(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return stampOfFile(found);
  // The times of the folder itself change with each change of the index.
  const config = statSync(path.join(file, 'config'), { throwIfNoEntry: false });
  return `${String(found.dev)}:${String(found.ino)} ${stampOfFile(config)}`;
}

/** Returns a text that changes when the file is replaced or changed; empty: there is none. */
export function stampOfFile(found: Stats | undefined): string {
  if (found === undefined) return '';
  const { dev, ino, ctimeMs, size } = found;
  return [dev, ino, ctimeMs, size].join(':');
}
