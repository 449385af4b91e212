import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import * as path from 'node:path';
import type { DiffSize } from '../../domain/task/attempt';
import type { Place } from '../../domain/task/place';
import { resolveLinks } from '../files/paths';
import type { ScratchFolders } from '../files/scratchFolders';
import type { BlobSizes } from './indexFile/blobSizes';
import { type ChangedFiles, FileLook, type LeftOut, type LookOptions, MOST_FILES } from './fileLook';
import { checkOut, type FileState } from './checkOut';
import { copyGitFiles } from './copyGitFiles';
import { decode, encode, findWithoutLink, pathOf } from './fileNames';
import { type FindRepository, findRuleFile, type Repository, stampOfFile } from './findRepository';
import { cleanEnvironment, createGit, createLatinGit, type Git } from './git';
import { type IndexSource, listConverted, listThere, readIndexFacts } from './indexFile/indexFacts';
import { listFiltered } from './indexFile/filteredFiles';
import { listLeftOut } from './leftOut';
import type { ObjectFormat } from './bareRepository';
import { parseRawDiff, type RawDifference, SUBMODULE } from './rawDiff';
import { SeenFiles } from './seenFiles';
import { dropAssumed, listStaged } from './indexFile/indexDifferences';
import { isTestFile } from './testFiles';

/** Difference between two looks at a directory. */
export interface Change {
  readonly size: DiffSize;
  /** Whether a test file is among the changed ones. */
  readonly changedTests: boolean;
  /** Names of the tree before and after; null: no content differs. */
  readonly trees: { readonly before: string; readonly after: string } | null;
  readonly leftOut: readonly LeftOut[];
  /** Place that was looked at. */
  readonly place: Required<Pick<Place, 'top' | 'folder'>>;
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
  /** Takes in the directory as it is now, as `compare` does, but looks for no difference. */
  readonly lookAgain: (signal: AbortSignal) => Promise<void>;
  /** Returns the files as they were at the last look. */
  readonly readState: (signal: AbortSignal) => Promise<FileState>;
  /** Writes files of a look at a whole repository into an empty folder, byte for byte. */
  readonly checkOut: (state: FileState, folder: string, signal: AbortSignal) => Promise<void>;
  /**
   * Whether a copy that is opened now would have the same of the repository, and no more ignored files. A copy that has
   * grown large is not current either.
   */
  readonly isCurrent: (signal: AbortSignal) => Promise<boolean>;
  /**
   * Returns a hash of all files as they were at the last look: names, modes and contents. Undefined: not known, because
   * something was left out. The same files have the same hash, whatever is committed.
   */
  readonly hash: (signal: AbortSignal) => Promise<string | undefined>;
  /** Removes it in the background. */
  readonly remove: () => void;
}

/** Options of a copy. */
export interface CopyOptions extends Pick<LookOptions, 'except'> {
  readonly environment: NodeJS.ProcessEnv;
  readonly findRepository: FindRepository;
  /** Where it is: what a killed process leaves is found there. */
  readonly scratch: Pick<ScratchFolders, 'make' | 'remove'>;
  /** Known from copies before it. */
  readonly sizes: BlobSizes;
}

/** Copies the repository of a directory. @throws GitFailure where there is none, among other reasons */
export async function openCopy(
  workingDir: string,
  options: CopyOptions,
  signal: AbortSignal,
): Promise<RepositoryCopy> {
  const repository = await options.findRepository(workingDir, signal);
  const folder = await options.scratch.make();
  const copy = new OpenCopy(workingDir, repository, folder, options);
  try {
    await copy.open(signal);
  } catch (error) {
    copy.remove();
    throw error;
  }
  return copy;
}

class OpenCopy implements RepositoryCopy {
  /** Path of the directory from the top of the repository. */
  private readonly below: string;
  private readonly env: NodeJS.ProcessEnv;
  private readonly git: Git;
  /** Git with the configuration and the index of the repository: it only asks. */
  private readonly gitThere: Git;
  private readonly seen: SeenFiles;
  private readonly look: FileLook;
  private readonly stamp: string;
  private submodules: readonly string[] = [];
  private assumed: readonly string[] = [];
  private counted = 0;
  private hasNewRules = false;

  constructor(
    private readonly workingDir: string,
    private readonly repository: Repository,
    private readonly folder: string,
    private readonly options: CopyOptions,
  ) {
    const { top, format, excludesFile } = repository;
    this.stamp = stampOfCopied(repository);
    this.below = path.relative(top, resolveLinks(workingDir));
    const own = { GIT_DIR: folder, GIT_WORK_TREE: top, GIT_CONFIG_GLOBAL: '/dev/null' };
    const clean = cleanEnvironment(options.environment);
    const env = { ...clean, ...own };
    this.env = env;
    this.git = createLatinGit(workingDir, env);
    this.gitThere = createLatinGit(workingDir, clean);
    const gitWith = (index: string): Git => createLatinGit(workingDir, { ...env, GIT_INDEX_FILE: index });
    this.seen = new SeenFiles({ folder, format, inside: this.inside, gitWith });
    const except = [...options.except, folder];
    this.look = new FileLook(this.git, this.seen, { workingDir, excludesFile, except });
  }

  /** Takes in the directory as it is now. */
  async open(signal: AbortSignal): Promise<void> {
    const { git, look, repository, seen } = this;
    const bytes = await copyGitFiles(this.folder, repository, git, signal);
    const index = { bytes, format: repository.format, inside: this.inside };
    // Git looks at the files while the index is read here.
    const [found, converted] = await Promise.all([look.listChanged(signal), this.readIndex(index, signal)]);
    const { present, gone } = this.assumed.length === 0 ? found : await this.lookAtAssumed(signal);
    // A file that did not change is read again only if the index does not have it. One that is gone can still be found
    // through a link in the place of its folder.
    const left = new Set(gone);
    const counted = converted.filter((name) => look.counts(name) && !left.has(name));
    await seen.takeIn({ present: [...new Set([...present, ...counted])], gone }, signal);
  }

  /**
   * Notes what the index says, at once. Returns the files that git has converted, and those that are there although git
   * does not check them out: the index would not show that they are gone.
   */
  private async readIndex(index: IndexSource, signal: AbortSignal): Promise<string[]> {
    const { submodules, large, notCheckedOut, assumed, attributes: inTree } = readIndexFacts(index);
    this.submodules = submodules;
    this.assumed = assumed;
    this.look.large = large;
    const { workingDir, git, gitThere, repository, options } = this;
    const there = listThere(workingDir, notCheckedOut);
    const [converted, filtered] = await Promise.all([
      listConverted(index, workingDir, { git, sizes: options.sizes }, signal),
      listFiltered(index, workingDir, { repository, inTree, git: gitThere }, signal),
    ]);
    return [...there, ...converted, ...filtered];
  }

  /** Looks again, also at the files that git takes for unchanged without a look at them. Few repositories have some. */
  private async lookAtAssumed(signal: AbortSignal): Promise<ChangedFiles> {
    const names = new Set(this.assumed.map((name) => this.inside + name));
    await dropAssumed(this.git, names, signal);
    return this.look.listChanged(signal);
  }

  async compare(signal: AbortSignal): Promise<Change> {
    const changed = await this.look.listChanged(signal);
    const names = [changed, changed.settled].flatMap(({ present, gone }) => [...present, ...gone]);
    this.counted += names.length;
    this.hasNewRules ||= names.some((name) => path.basename(name) === '.gitignore');
    const { objects, ...difference } = await findDifference(this.git, this.seen, changed, signal);
    const pack = packer(this.workingDir, this.env, objects);
    const leftOut = listLeftOut(changed, this.listSubmodules()).map(({ path: name, why }) => ({
      path: path.join(this.below, decode(name)),
      why,
    }));
    const { top, format } = this.repository;
    const place = { top, folder: path.join(top, this.below) };
    return { ...difference, pack, leftOut, format, place };
  }

  async lookAgain(signal: AbortSignal): Promise<void> {
    const { present, gone, settled } = await this.look.listChanged(signal);
    await this.seen.takeIn(settled, signal);
    await this.seen.takeIn({ present, gone }, signal);
  }

  async readState(signal: AbortSignal): Promise<FileState> {
    return { different: await this.seen.list(signal), gone: [...this.seen.gone] };
  }

  checkOut(state: FileState, into: string, signal: AbortSignal): Promise<void> {
    const { folder, env } = this;
    const { format } = this.repository;
    return checkOut({ repository: folder, env, format, state, into }, signal);
  }

  /** Returns the submodules in the index that are still folders. */
  private listSubmodules(): string[] {
    const isFolder = (name: string): boolean =>
      findWithoutLink(pathOf(this.workingDir, name))?.isDirectory() === true;
    return this.submodules.filter(isFolder);
  }

  async hash(signal: AbortSignal): Promise<string | undefined> {
    const { look, seen, submodules } = this;
    if (look.isPartial || submodules.length > 0) return undefined;
    const nameOf = (line: string): string => line.slice(line.indexOf('\t') + 1);
    const [indexed, changed] = await Promise.all([listStaged(this.git, signal), seen.list(signal)]);
    const lines = [...indexed.filter((line) => !seen.has(nameOf(line))), ...changed].filter((line) =>
      look.counts(nameOf(line)),
    );
    return createHash('sha256').update(lines.sort().join('\0'), 'latin1').digest('hex');
  }

  async isCurrent(signal: AbortSignal): Promise<boolean> {
    const { repository, stamp } = this;
    return (
      this.counted <= MOST_FILES &&
      !this.hasNewRules &&
      stampOfCopied(repository) === stamp &&
      (await this.options.findRepository(this.workingDir, signal)) === repository
    );
  }

  remove(): void {
    // A copy that cannot be removed is in the system's temporary folder, readable by its owner alone.
    this.options.scratch.remove(this.folder).catch(() => undefined);
  }

  private get inside(): string {
    return this.below === '' ? '' : `${encode(this.below)}/`;
  }
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

/** Returns a text that changes with the files of the repository that a copy has, and with its excludes files. */
function stampOfCopied({ index, exclude, excludesFile }: Repository): string {
  const copied = [index, exclude].map((file) => statSync(file, { throwIfNoEntry: false }));
  return [...copied, findRuleFile(excludesFile)].map(stampOfFile).join(' ');
}

/** Difference, with the names of the objects that it needs. */
interface Difference extends Pick<Change, 'size' | 'changedTests' | 'trees'> {
  readonly objects: readonly string[];
}

const NO_DIFFERENCE: Difference = {
  size: { files: 0, insertions: 0, deletions: 0 },
  changedTests: false,
  trees: null,
  objects: [],
};

/** Takes these files in, and returns the difference. Git writes a tree only where something may differ. */
async function findDifference(
  git: Git,
  seen: SeenFiles,
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
    changedTests: differences.some((each) => !isFolder(each) && isTestFile(each.path)),
    trees: { before, after },
    objects: [...new Set([before, after, ...objects])],
  };
}

/** Mode of a folder. Git lists those of changed files too. */
const FOLDER = '040000';

function isFolder({ before, after }: RawDifference): boolean {
  return [before?.mode, after?.mode].includes(FOLDER);
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
