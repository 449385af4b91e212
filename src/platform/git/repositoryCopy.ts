import { copyFileSync, mkdirSync, mkdtempSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import type { DiffSize } from '../../domain/task/attempt';
import { hasCode } from '../files/files';
import { resolveLinks } from '../files/paths';
import { type FindRepository, type Repository, stampOfFile } from './findRepository';
import { cleanEnvironment, createGit, type Git, GitFailure } from './git';

/** A temporary repository whose index holds the working directory as it was when the copy was opened. */
export interface RepositoryCopy {
  /** Returns how much the directory has changed since then, or since the last call. */
  readonly compare: (signal: AbortSignal) => Promise<DiffSize>;
  /**
   * Whether a copy that is opened now would have the same of the repository, and no more ignored files. A copy that has
   * grown large is not current either.
   */
  readonly isCurrent: (signal: AbortSignal) => Promise<boolean>;
  /** Removes it in the background. */
  readonly remove: () => void;
}

/** Options of a copy. */
export interface CopyOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly findRepository: FindRepository;
  /** The user's global excludes file (`findExcludes`). */
  readonly excludes: string;
  /** Files, and folders with their contents, that do not count. */
  readonly except: readonly string[];
}

/** Maximum number of changed files. More are not a task's work, but a folder that git should ignore. */
const MOST_FILES = 10_000;

/** Maximum size of an index: a repository of some millions of files. */
const LARGEST_INDEX_BYTES = 512 * 1024 * 1024;

/** Maximum size of a file that counts. Larger ones are no text, and are not copied. */
const LARGEST_FILE_BYTES = 10 * 1024 * 1024;

/** Copies the repository of a directory. @throws GitFailure where there is none, among other reasons */
export async function openCopy(
  workingDir: string,
  { environment, findRepository, excludes, except }: CopyOptions,
  signal: AbortSignal,
): Promise<RepositoryCopy> {
  const repository = await findRepository(workingDir, signal);
  const isOurs = findOwn(workingDir, except);
  const folder = mkdtempSync(path.join(tmpdir(), 'claude-queue-diff-'));
  const remove = (): void => {
    // A copy that cannot be removed is in the system's temporary folder, readable by its owner alone.
    rm(folder, { recursive: true, force: true }).catch(() => undefined);
  };
  const env = { GIT_DIR: folder, GIT_WORK_TREE: repository.top, GIT_CONFIG_GLOBAL: '/dev/null' };
  const git = createGit(workingDir, { ...cleanEnvironment(environment), ...env });
  const look = { workingDir, isOurs, excludes };
  const stamp = stampOfCopied(repository);
  try {
    fill(folder, repository);
    await takeIn(git, await listChanged(git, look, signal), signal);
  } catch (error) {
    remove();
    throw error;
  }
  let counted = 0;
  let hasNewRules = false;
  return {
    compare: async (until) => {
      const changed = await listChanged(git, look, until);
      counted += changed.length;
      hasNewRules ||= changed.some((name) => path.basename(name) === '.gitignore');
      return measureChange(git, changed, until);
    },
    isCurrent: async (until) =>
      counted <= MOST_FILES &&
      !hasNewRules &&
      stampOfCopied(repository) === stamp &&
      (await findRepository(workingDir, until)) === repository,
    remove,
  };
}

/** Returns a text that changes with the files of the repository that a copy has. */
function stampOfCopied({ index, exclude }: Repository): string {
  return [index, exclude].map((file) => stampOfFile(statSync(file, { throwIfNoEntry: false }))).join(' ');
}

/** Returns the size of the change in these files. Git writes a tree only where something differs. */
async function measureChange(git: Git, changed: readonly string[], signal: AbortSignal): Promise<DiffSize> {
  if (changed.length === 0) return { files: 0, insertions: 0, deletions: 0 };
  const before = (await git(['write-tree', '--missing-ok'], signal)).trim();
  await takeIn(git, changed, signal);
  return parseShortStat(await git(['diff-index', '--cached', '--shortstat', before], signal));
}

/**
 * Returns the user's global excludes file; empty: git's default one. Nothing else of the user's configuration is used,
 * for it could name programs too.
 */
export async function findExcludes(environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string> {
  // Without any repository: the file that its configuration names could be a pipe, say.
  const git = createGit('/', { ...cleanEnvironment(environment), GIT_DIR: '/dev/null' });
  const ask = ['config', '--type=path', '--default', '', '--get', 'core.excludesFile'];
  return (await git(ask, signal)).slice(0, -1);
}

/** Makes the files at once: most are small, and take ten times as long in the background. */
function fill(folder: string, { objects, index, exclude, format }: Repository): void {
  for (const part of ['objects/info', 'refs', 'info'])
    mkdirSync(path.join(folder, part), { recursive: true });
  writeFileSync(path.join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  writeFileSync(path.join(folder, 'config'), describeFormat(format));
  writeFileSync(path.join(folder, 'objects/info/alternates'), `${objects}\n`);
  copyWhereThere(exclude, path.join(folder, 'info/exclude'));
  copyWhereThere(index, path.join(folder, 'index'));
}

function describeFormat(format: string): string {
  const isMac = process.platform === 'darwin';
  return [
    '[core]',
    `repositoryFormatVersion = ${format === 'sha1' ? '0' : '1'}`,
    'bare = false',
    'compression = 0',
    ...(isMac ? ['ignoreCase = true', 'precomposeUnicode = true'] : []),
    ...(format === 'sha1' ? [] : ['[extensions]', `objectFormat = ${format}`]),
    '',
  ].join('\n');
}

function copyWhereThere(from: string, to: string): void {
  try {
    const found = statSync(from);
    // A pipe, say, would never end.
    if (!found.isFile() || found.size > LARGEST_INDEX_BYTES)
      throw new GitFailure(`${from} is not a file of git.`);
    copyFileSync(from, to);
    // Git reads a file again that is no older than the index, since its stamp proves nothing. A younger copy would
    // prevent that.
    utimesSync(to, found.atime, Math.floor(found.mtimeMs / 1000));
  } catch (error) {
    // A new repository has no index, and the excludes file is optional.
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

/** Returns a check for whether a name in the directory is one of these paths, or below one. */
function findOwn(workingDir: string, paths: readonly string[]): (name: string) => boolean {
  const [inside = workingDir, ...own] = [workingDir, ...paths].map(resolveLinks);
  return (name) => {
    const file = `${path.join(inside, name)}${path.sep}`;
    return own.some((one) => file.startsWith(`${one}${path.sep}`));
  };
}

interface Look extends Pick<CopyOptions, 'excludes'> {
  readonly workingDir: string;
  readonly isOurs: (name: string) => boolean;
}

/** Returns the files that differ from the index and count. */
async function listChanged(
  git: Git,
  { workingDir, isOurs, excludes }: Look,
  signal: AbortSignal,
): Promise<string[]> {
  const ignoring = excludes === '' ? [] : ['-c', `core.excludesFile=${excludes}`];
  const list = await git([...ignoring, 'ls-files', '-z', '-m', '-d', '-o', '--exclude-standard'], signal);
  // A folder in the list is another repository, which has its own history.
  const names = [...new Set(list.split('\0'))].filter((name) => name !== '' && !name.endsWith('/'));
  if (names.length > MOST_FILES) throw new GitFailure('Too many files have changed.');
  const counted: string[] = [];
  for (const name of names) {
    if (!isOurs(name) && !(await isLarge(path.join(workingDir, name)))) counted.push(name);
  }
  return counted;
}

/** Writes these files to the index by a plumbing command: unlike `add` and `status` it starts nothing in submodules. */
async function takeIn(git: Git, names: readonly string[], signal: AbortSignal): Promise<void> {
  if (names.length === 0) return;
  const update = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'];
  await git(update, signal, names.map((name) => `${name}\0`).join(''));
}

async function isLarge(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).size > LARGEST_FILE_BYTES;
  } catch (error) {
    // Deleted: that is the change.
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

/** Parses ` 3 files changed, 10 insertions(+), 2 deletions(-)`; empty: nothing changed. */
function parseShortStat(text: string): DiffSize {
  const find = (word: RegExp): number => Number(word.exec(text)?.[1] ?? 0);
  return {
    files: find(/(\d+) files? changed/),
    insertions: find(/(\d+) insertions?\(/),
    deletions: find(/(\d+) deletions?\(/),
  };
}
