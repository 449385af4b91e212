import { mkdtempSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import type { DiffSize } from '../../domain/task/attempt';
import { hasCode } from '../files/files';
import { resolveLinks } from '../files/paths';
import type { BlobSizes } from './blobSizes';
import {
  type ChangedFiles,
  FileLook,
  type LeftOut,
  type LookOptions,
  type LookSources,
  MOST_FILES,
} from './changedFiles';
import { decode, encode } from './fileNames';
import { type FindRepository, type Repository, stampOfFile } from './findRepository';
import { cleanEnvironment, createGit, createLatinGit, type Git, GitFailure } from './git';
import { listConverted, readIndexFacts } from './indexFacts';
import { listLeftOut } from './leftOut';
import { makeRepository, type ObjectFormat } from './privateRepository';
import { parseRawDiff, SUBMODULE } from './rawDiff';
import { SeenFiles } from './seenFiles';

/** Difference between two looks at a directory. */
export interface Change {
  readonly size: DiffSize;
  /** Names of the tree before and after; null: no content differs. */
  readonly trees: { readonly before: string; readonly after: string } | null;
  readonly leftOut: readonly LeftOut[];
  /** Format of the names. */
  readonly format: ObjectFormat;
  /**
   * Writes all objects that the difference needs to a pack in another repository, and on to the disk. What is the same
   * in both trees is not in it.
   * @param objects the folder of that repository's objects
   * @param name how the pack's name starts
   */
  readonly pack: (objects: string, name: string, signal: AbortSignal) => Promise<void>;
}

/** A temporary repository whose index holds the working directory as it was when the copy was opened. */
export interface RepositoryCopy {
  /** Returns how the directory has changed since then, or since the last call. */
  readonly compare: (signal: AbortSignal) => Promise<Change>;
  /**
   * Whether a copy that is opened now would have the same of the repository, and no more ignored files. A copy that has
   * grown large is not current either.
   */
  readonly isCurrent: (signal: AbortSignal) => Promise<boolean>;
  /** Removes it in the background. */
  readonly remove: () => void;
}

/** Options of a copy. */
export interface CopyOptions extends Pick<LookOptions, 'excludes' | 'except'> {
  readonly environment: NodeJS.ProcessEnv;
  readonly findRepository: FindRepository;
  /** What is known from copies before it. */
  readonly sizes: BlobSizes;
}

/** Maximum size of an index: a repository of some millions of files. */
const LARGEST_INDEX_BYTES = 512 * 1024 * 1024;

/** Files are kept as they are: no conversion of line ends, no filters. This has priority over `.gitattributes`. */
const AS_THEY_ARE = '* -text -eol -ident -filter -working-tree-encoding\n';

/** Copies the repository of a directory. @throws GitFailure where there is none, among other reasons */
export async function openCopy(
  workingDir: string,
  { environment, findRepository, excludes, except, sizes }: CopyOptions,
  signal: AbortSignal,
): Promise<RepositoryCopy> {
  const repository = await findRepository(workingDir, signal);
  const { top, format, converts } = repository;
  const folder = mkdtempSync(path.join(tmpdir(), 'claude-queue-diff-'));
  const remove = (): void => {
    // A copy that cannot be removed is in the system's temporary folder, readable by its owner alone.
    rm(folder, { recursive: true, force: true }).catch(() => undefined);
  };
  const env = { GIT_DIR: folder, GIT_WORK_TREE: top, GIT_CONFIG_GLOBAL: '/dev/null' };
  const environmentOfCopy = { ...cleanEnvironment(environment), ...env };
  const git = createLatinGit(workingDir, environmentOfCopy);
  const gitWith = (index: string): Git =>
    createLatinGit(workingDir, { ...environmentOfCopy, GIT_INDEX_FILE: index });
  const below = path.relative(top, resolveLinks(workingDir));
  const inside = below === '' ? '' : `${encode(below)}/`;
  const seen = new SeenFiles({ folder, inside, gitWith });
  const stamp = stampOfCopied(repository);
  let look: FileLook;
  let submodules: readonly string[] = [];
  try {
    const bytes = await fill(folder, repository, git, signal);
    const index = { bytes, format, inside };
    const facts = readIndexFacts(index);
    ({ submodules } = facts);
    const sources = { git, seen, large: facts.large };
    look = new FileLook(sources, { workingDir, excludes, except: [...except, folder] });
    const [{ present, gone }, converted] = await Promise.all([
      look.listChanged(signal),
      converts || facts.hasAttributes ? listConverted(index, workingDir, { git, sizes }, signal) : [],
    ]);
    // The index does not have the content of those that it has converted.
    const counted = converted.filter((name) => look.counts(name));
    await seen.takeIn({ present: [...new Set([...present, ...counted])], gone }, signal);
  } catch (error) {
    remove();
    throw error;
  }
  const fromTop = ({ path: name, why }: LeftOut): LeftOut => ({ path: path.join(below, decode(name)), why });
  let counted = 0;
  let hasNewRules = false;
  return {
    compare: async (until) => {
      const changed = await look.listChanged(until);
      const names = [changed, changed.settled].flatMap(({ present, gone }) => [...present, ...gone]);
      counted += names.length;
      hasNewRules ||= names.some((name) => path.basename(name) === '.gitignore');
      const { objects, ...difference } = await findDifference({ git, seen }, changed, until);
      const pack = packer(workingDir, environmentOfCopy, objects);
      const leftOut = listLeftOut(changed, difference.trees !== null, submodules);
      return { ...difference, pack, leftOut: leftOut.map(fromTop), format };
    },
    isCurrent: async (until) =>
      counted <= MOST_FILES &&
      !hasNewRules &&
      stampOfCopied(repository) === stamp &&
      (await findRepository(workingDir, until)) === repository,
    remove,
  };
}

/**
 * Returns what packs these objects. Git writes to the other repository from the start: the temporary folder may be on
 * another disk, from which git cannot move a file.
 */
function packer(cwd: string, env: NodeJS.ProcessEnv, objects: readonly string[]): Change['pack'] {
  return async (into, name, signal) => {
    // Quoted: a colon would end it.
    const own = JSON.stringify(path.join(env['GIT_DIR'] ?? '', 'objects'));
    const where = { GIT_OBJECT_DIRECTORY: into, GIT_ALTERNATE_OBJECT_DIRECTORIES: own };
    const args = ['pack-objects', '-q', '--threads=1', path.join(into, 'pack', name)];
    await createGit(cwd, { ...env, ...where })(args, signal, objects.map((object) => `${object}\n`).join(''));
  };
}

/** Returns a text that changes with the files of the repository that a copy has. */
function stampOfCopied({ index, exclude }: Repository): string {
  return [index, exclude].map((file) => stampOfFile(statSync(file, { throwIfNoEntry: false }))).join(' ');
}

/** Difference, with the names of the objects that it needs. */
interface Difference extends Pick<Change, 'size' | 'trees'> {
  readonly objects: readonly string[];
}

const NO_DIFFERENCE: Difference = {
  size: { files: 0, insertions: 0, deletions: 0 },
  trees: null,
  objects: [],
};

/** Takes these files in, and returns the difference. Git writes a tree only where something may differ. */
async function findDifference(
  { git, seen }: Pick<LookSources, 'git' | 'seen'>,
  { present, gone, versions, settled }: ChangedFiles,
  signal: AbortSignal,
): Promise<Difference> {
  await seen.takeIn(settled, signal);
  if (present.length + gone.length === 0) return NO_DIFFERENCE;
  const { before, after } = await seen.replace({ present, gone }, versions, signal);
  if (before === after) return NO_DIFFERENCE;
  const look = ['diff-tree', '-r', '-t', '-z', '--raw', '--shortstat', before, after];
  const { differences, rest } = parseRawDiff(await git(look, signal));
  const objectsOf = differences.flatMap((each) => [each.before ?? [], each.after ?? []].flat());
  const objects = objectsOf.filter(({ mode }) => mode !== SUBMODULE).map(({ object }) => object);
  return {
    size: parseShortStat(rest),
    trees: { before, after },
    objects: [...new Set([before, after, ...objects])],
  };
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

/** Makes the copy, and returns the bytes of its index. */
async function fill(
  folder: string,
  { objects, index, exclude, format }: Repository,
  git: Git,
  signal: AbortSignal,
): Promise<Buffer> {
  const isMac = process.platform === 'darwin';
  const names = isMac ? ['ignoreCase = true', 'precomposeUnicode = true'] : [];
  makeRepository(folder, { format, core: ['bare = false', 'compression = 0', ...names] });
  writeFileSync(path.join(folder, 'objects/info/alternates'), `${objects}\n`);
  writeFileSync(path.join(folder, 'info/attributes'), AS_THEY_ARE);
  copyWhereThere(exclude, path.join(folder, 'info/exclude'));
  const copy = path.join(folder, 'index');
  const bytes = copyWhereThere(index, copy);
  // A new repository has no index.
  if (bytes === null) return NO_ENTRIES;
  // A split index has its larger part in files beside it.
  const beside = path.dirname(index);
  const parts = readdirSync(beside).filter((each) => each.startsWith('sharedindex.'));
  if (parts.length === 0) return bytes;
  for (const name of parts) copyWhereThere(path.join(beside, name), path.join(folder, name));
  await git(['update-index', '--no-split-index'], signal);
  return readFileSync(copy);
}

/** An index without entries. */
const NO_ENTRIES = Buffer.from('DIRC\0\0\0\x02\0\0\0\0', 'latin1');

/** Copies a file, and returns its bytes; null: there is none. */
function copyWhereThere(from: string, to: string): Buffer | null {
  try {
    const found = statSync(from);
    // A pipe, say, would never end.
    if (!found.isFile() || found.size > LARGEST_INDEX_BYTES)
      throw new GitFailure(`${from} is not a file of git.`);
    const bytes = readFileSync(from);
    writeFileSync(to, bytes);
    // Git reads a file again that is no older than the index, since its stamp proves nothing. A younger copy would
    // prevent that.
    utimesSync(to, found.atime, Math.floor(found.mtimeMs / 1000));
    return bytes;
  } catch (error) {
    // A new repository has no index, and the excludes file is optional.
    if (hasCode(error, 'ENOENT')) return null;
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
