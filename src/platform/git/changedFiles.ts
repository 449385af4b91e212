import { statSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode } from '../files/files';
import { resolveLinks } from '../files/paths';
import { stampOfFile } from './findRepository';
import { type Git, GitFailure } from './git';

/** A path, from the top of the repository, whose content is not compared: a large file, or another repository. */
export interface LeftOut {
  readonly path: string;
  readonly why: 'large' | 'repository';
}

/** Paths that differ from the index. */
export interface ChangedFiles {
  readonly counted: readonly string[];
  /** Files that are too large to count, and have changed since the last look. */
  readonly large: readonly string[];
  /** Untracked folders that are other repositories. */
  readonly repositories: readonly string[];
}

/** Options of a look at the files of a directory. */
export interface LookOptions {
  readonly workingDir: string;
  /** The user's global excludes file (`findExcludes`). */
  readonly excludes: string;
  /** Files, and folders with their contents, that do not count. */
  readonly except: readonly string[];
}

/** Maximum number of changed files. More are not a task's work, but a folder that git should ignore. */
export const MOST_FILES = 10_000;

/** Maximum size of a file that counts. Larger ones are no text, and are not copied. */
const LARGEST_FILE_BYTES = 10 * 1024 * 1024;

/** Mode of a submodule in the index. */
const SUBMODULE = '160000';

/** Looks at a directory again and again. Its large files count as changed when they differ from the last look. */
export class FileLook {
  private readonly isOurs: (name: string) => boolean;
  private largeFiles: ReadonlyMap<string, string> = new Map();

  constructor(
    private readonly git: Git,
    private readonly options: LookOptions,
  ) {
    this.isOurs = findOwn(options.workingDir, options.except);
  }

  /** Returns the files that differ from the index. */
  async listChanged(signal: AbortSignal): Promise<ChangedFiles> {
    const { excludes, workingDir } = this.options;
    const ignoring = excludes === '' ? [] : ['-c', `core.excludesFile=${excludes}`];
    const list = ['ls-files', '-z', '-m', '-d', '-o', '--exclude-standard'];
    const names = [...new Set((await this.git([...ignoring, ...list], signal)).split('\0'))].filter(
      (name) => name !== '' && !this.isOurs(name),
    );
    // A folder in the list is another repository, which has its own history.
    const repositories = names.filter((name) => name.endsWith('/'));
    const files = names.filter((name) => !name.endsWith('/'));
    if (files.length > MOST_FILES) throw new GitFailure('Too many files have changed.');
    const largeFiles = new Map<string, string>();
    const counted: string[] = [];
    for (const name of files) {
      const stamp = await stampOfLarge(path.join(workingDir, name));
      if (stamp === null) counted.push(name);
      else largeFiles.set(name, stamp);
    }
    const large = [...largeFiles].filter(([name, stamp]) => this.largeFiles.get(name) !== stamp);
    this.largeFiles = largeFiles;
    return { counted, large: large.map(([name]) => name), repositories };
  }

  /** Returns the submodules. Git finds only which commit they have. */
  async listSubmodules(signal: AbortSignal): Promise<string[]> {
    if (!(await this.isTracked(':(top).gitmodules', signal))) return [];
    const entries = parseEntries(await this.git(['ls-files', '-z', '-s', '--debug'], signal));
    return entries.filter(({ mode }) => mode === SUBMODULE).map(({ name }) => `${name}/`);
  }

  /**
   * Returns the unchanged files whose content in the index is not the one in the directory, because git converts it: line
   * ends, or large files that are kept elsewhere. `converts`: there may be some also without `.gitattributes`.
   */
  async listConverted(converts: boolean, signal: AbortSignal): Promise<string[]> {
    if (!converts && !(await this.isTracked(':(top,glob)**/.gitattributes', signal))) return [];
    const entries = parseEntries(await this.git(['ls-files', '-z', '-s', '--debug'], signal));
    const files = entries.filter(({ mode }) => mode !== SUBMODULE);
    const ask = ['cat-file', '--batch-check=%(objectsize)', '--buffer'];
    const sizes = await this.git(ask, signal, files.map(({ id }) => `${id}\n`).join(''));
    const stored = sizes.split('\n');
    return files
      .filter(({ size }, index) => String(size) !== stored[index])
      .filter((entry) => this.hasSizeOf(entry))
      .map(({ name }) => name);
  }

  private async isTracked(files: string, signal: AbortSignal): Promise<boolean> {
    return (await this.git(['ls-files', '-z', '--', files], signal)) !== '';
  }

  /** Whether the directory has the file as git last saw it. One that git does not check out is missing, for example. */
  private hasSizeOf({ name, size }: Entry): boolean {
    if (this.isOurs(name) || size > LARGEST_FILE_BYTES) return false;
    return statSync(path.join(this.options.workingDir, name), { throwIfNoEntry: false })?.size === size;
  }
}

interface Entry {
  readonly mode: string;
  readonly id: string;
  readonly name: string;
  /** Size of the file when git last looked at it, in bytes. */
  readonly size: number;
}

/** Line of `git ls-files -z -s --debug`, up to the name. */
const ENTRY = /^(?<mode>\d+) (?<id>[0-9a-f]+) \d\t(?<name>.*)$/s;
const SIZE = / {2}size: (?<size>\d+)\tflags: .*\n/;

/** Parses `MODE ID STAGE\tNAME`, a NUL, and the details of the entry: several lines, the last one with the size. */
function parseEntries(text: string): Entry[] {
  const entries: Entry[] = [];
  let head = '';
  for (const piece of text.split('\0')) {
    const details = SIZE.exec(piece);
    const { mode = '', id = '', name = '' } = ENTRY.exec(head)?.groups ?? {};
    if (details !== null && name !== '')
      entries.push({ mode, id, name, size: Number(details.groups?.['size']) });
    head = details === null ? piece : piece.slice(details.index + details[0].length);
  }
  return entries;
}

/** Returns a check for whether a name in the directory is one of these paths, or below one. */
function findOwn(workingDir: string, paths: readonly string[]): (name: string) => boolean {
  const [inside = workingDir, ...own] = [workingDir, ...paths].map(resolveLinks);
  return (name) => {
    const file = `${path.join(inside, name)}${path.sep}`;
    return own.some((one) => file.startsWith(`${one}${path.sep}`));
  };
}

/** Returns a text that changes with a large file; null: it is not large. */
async function stampOfLarge(file: string): Promise<string | null> {
  try {
    const found = await lstat(file);
    return found.size > LARGEST_FILE_BYTES ? stampOfFile(found) : null;
  } catch (error) {
    // Deleted: that is the change.
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}
