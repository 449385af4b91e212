import { constants, existsSync, lstatSync } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode } from '../files/files';
import { resolveLinks } from '../files/paths';
import { stampOfFile } from './findRepository';
import { type Git, GitFailure } from './git';
import { SUBMODULE } from './rawDiff';

/**
 * A path, from the top of the repository, whose content is not compared: a large file, one that cannot be read, or another
 * repository.
 */
export interface LeftOut {
  readonly path: string;
  readonly why: 'large' | 'unreadable' | 'repository';
}

/** Paths that differ from the index. Names are latin1 texts: one character for each byte. */
export interface ChangedFiles {
  /** Files and links that are there. */
  readonly present: readonly string[];
  /** Files that are not there any more. */
  readonly gone: readonly string[];
  /** Those of `present` that the last look did not read: no copy has their earlier content. */
  readonly settled: readonly string[];
  /** Files that have changed since the last look, and whose content is not compared. */
  readonly unread: readonly LeftOut[];
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

/** Most files whose earlier size is asked for: more do not fit into one command. */
const MOST_ASKED = 500;

/** A file that is not read, with a text that changes with it. */
interface Unread {
  readonly why: 'large' | 'unreadable';
  readonly stamp: string;
}

/** Looks at a directory again and again. Files that it does not read count as changed when they differ from the last look. */
export class FileLook {
  private readonly isOurs: (name: string) => boolean;
  private unread: ReadonlyMap<string, Unread> = new Map();

  constructor(
    private readonly git: Git,
    private readonly options: LookOptions,
  ) {
    this.isOurs = findOwn(options.workingDir, options.except);
  }

  /** Returns the files that differ from the index. */
  async listChanged(signal: AbortSignal): Promise<ChangedFiles> {
    const { excludes } = this.options;
    const ignoring = excludes === '' ? [] : ['-c', `core.excludesFile=${excludes}`];
    const list = ['ls-files', '-z', '-m', '-d', '-o', '--exclude-standard'];
    const names = [...new Set((await this.git([...ignoring, ...list], signal)).split('\0'))].filter(
      (name) => name !== '' && !this.isOurs(name),
    );
    // A folder in the list is another repository, which has its own history.
    const repositories = names.filter((name) => name.endsWith('/'));
    const files = names.filter((name) => !name.endsWith('/'));
    if (files.length > MOST_FILES) throw new GitFailure('Too many files have changed.');
    const wereLarge = await this.listLarge(files, signal);
    const unread = new Map<string, Unread>();
    const places: Record<'present' | 'gone', string[]> = { present: [], gone: [] };
    const links = new LinkedFolders(this.options.workingDir);
    for (const name of files) {
      const found = links.isBelow(name) ? 'gone' : await findFile(pathOf(this.options.workingDir, name));
      if (typeof found !== 'string') unread.set(name, found);
      else if (wereLarge.has(name)) unread.set(name, { why: 'large', stamp: found });
      else places[found].push(name);
    }
    const before = this.unread;
    this.unread = unread;
    const settled = places.present.filter((name) => before.has(name));
    return { ...places, settled, unread: listDifferent(before, unread), repositories };
  }

  /** Returns those of the changed files that were large when git last saw them: their content is in no copy. */
  private async listLarge(names: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    if (names.length === 0 || names.length > MOST_ASKED) return new Set();
    const paths = names.map((name) => `:(literal)${decode(name)}`);
    const entries = parseEntries(await this.git(['ls-files', '-z', '-s', '--debug', '--', ...paths], signal));
    return new Set(entries.filter(({ size }) => size > LARGEST_FILE_BYTES).map(({ name }) => name));
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
    return lstatSync(pathOf(this.options.workingDir, name), { throwIfNoEntry: false })?.size === size;
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
    const file = `${path.join(inside, decode(name))}${path.sep}`;
    return own.some((one) => file.startsWith(`${one}${path.sep}`));
  };
}

/** Returns the text of a name; what is not UTF-8 is replaced. */
export function decode(name: string): string {
  return Buffer.from(name, 'latin1').toString('utf8');
}

/** Returns the path of a name in a folder, byte by byte. */
function pathOf(folder: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}${path.sep}`), Buffer.from(name, 'latin1')]);
}

/** Links in the place of folders. Git does not look at files below them. */
class LinkedFolders {
  private readonly known = new Map<string, boolean>([['.', false]]);

  constructor(private readonly folder: string) {}

  isBelow(name: string): boolean {
    return this.isLink(path.dirname(name));
  }

  private isLink(folder: string): boolean {
    const known = this.known.get(folder);
    if (known !== undefined) return known;
    const found = lstatSync(pathOf(this.folder, folder), { throwIfNoEntry: false });
    const isLink = found?.isSymbolicLink() === true || this.isLink(path.dirname(folder));
    this.known.set(folder, isLink);
    return isLink;
  }
}

/** Returns whether a file is there, or why its content is not read. */
async function findFile(file: Buffer): Promise<'present' | 'gone' | Unread> {
  try {
    const found = await lstat(file);
    if (found.isSymbolicLink()) return 'present';
    // A submodule.
    if (found.isDirectory())
      return existsSync(Buffer.concat([file, Buffer.from('/.git')])) ? 'present' : 'gone';
    if (!found.isFile()) return { why: 'unreadable', stamp: stampOfFile(found) };
    if (found.size > LARGEST_FILE_BYTES) return { why: 'large', stamp: stampOfFile(found) };
    await access(file, constants.R_OK);
    return 'present';
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return 'gone';
    if (hasCode(error, 'EACCES', 'EPERM')) return { why: 'unreadable', stamp: '' };
    throw error;
  }
}

/** Returns the files that are not read, and appeared, disappeared or changed between two looks. */
function listDifferent(before: ReadonlyMap<string, Unread>, after: ReadonlyMap<string, Unread>): LeftOut[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    const { why } = is ?? was ?? {};
    return why === undefined || was?.stamp === is?.stamp ? [] : [{ path: name, why }];
  });
}
