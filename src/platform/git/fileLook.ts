import { constants, existsSync } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode } from '../files/files';
import { decode, encode, findOwn, findWithoutLink, pathOf } from './fileNames';
import { setRuleFile, stampOfFile } from './findRepository';
import { type Git, GitFailure } from './git';
import { type DifferentFiles, listDifferentFiles } from './indexFile/indexDifferences';
import { LARGEST_FILE_BYTES } from './indexFile/indexFacts';
import type { RawVersion } from './rawDiff';
import type { FoundFiles, SeenFiles } from './seenFiles';

/**
 * A path, from the top of the repository, whose content is not compared: a large file, one that cannot be read, or another
 * repository.
 */
export interface LeftOut {
  readonly path: string;
  readonly why: 'large' | 'unreadable' | 'repository';
}

/** Files that may have changed since the last look. Names have one character for each byte. */
export interface ChangedFiles extends FoundFiles {
  /** Versions in the index of those that did not differ from it at the last look. */
  readonly versions: ReadonlyMap<string, RawVersion>;
  /** Files whose content can be read, unlike at the last look: nothing has their earlier content. */
  readonly settled: FoundFiles;
  /** Files that have changed since the last look, and whose content is not compared. */
  readonly unread: readonly LeftOut[];
  /** Untracked folders that are other repositories. */
  readonly repositories: readonly string[];
}

/** Options of a look at the files of a directory. */
export interface LookOptions {
  readonly workingDir: string;
  /** Excludes file beside those in the repository. */
  readonly excludesFile: string;
  /** Files, and folders with their contents, that do not count. */
  readonly except: readonly string[];
}

/** Maximum number of changed files. More are not a task's work, but a folder that git should ignore. */
export const MOST_FILES = 10_000;

/** Most files that are named in one command. */
const MOST_ASKED = 500;

/** A file that is not read, with a text that changes with it. */
interface Unread {
  readonly why: 'large' | 'unreadable';
  readonly stamp: string;
}

/** Files that may differ, by name: with what is known of them before, and whether that is from the index. */
interface Candidates {
  readonly versions: ReadonlyMap<string, RawVersion | null>;
  readonly inIndex: ReadonlySet<string>;
  /** Files that git does not find: a folder without a commit, for example, is in the place of some. */
  readonly missing: ReadonlySet<string>;
  readonly repositories: readonly string[];
}

/** Looks at a directory again and again. Files that it does not read count as changed when they differ from the last look. */
export class FileLook {
  /** Whether a file in the directory is to be looked at. */
  readonly counts: (name: string) => boolean;
  /** Files that are large in the index: nothing has their earlier content. */
  large: ReadonlySet<string> = new Set();
  private unread: ReadonlyMap<string, Unread> = new Map();
  private repositories: readonly string[] = [];

  /** @param git with the index of the repository, as it was when it was copied */
  constructor(
    private readonly git: Git,
    private readonly seen: SeenFiles,
    private readonly options: LookOptions,
  ) {
    const isOurs = findOwn(options.workingDir, options.except);
    this.counts = (name) => !isOurs(name);
  }

  /** Whether the last look left something out, so that what changes there is not seen. */
  get isPartial(): boolean {
    return this.unread.size + this.repositories.length > 0;
  }

  /** Returns the files that may have changed since the last look, or differ from the index if there was none. */
  async listChanged(signal: AbortSignal): Promise<ChangedFiles> {
    const { versions, inIndex, missing, repositories } = await this.listCandidates(signal);
    const unread = new Map<string, Unread>();
    const found = { present: [] as string[], gone: [] as string[] };
    const settled = { present: [] as string[], gone: [] as string[] };
    const links = new LinkedFolders(this.options.workingDir);
    const isGone = (name: string): boolean => missing.has(name) || links.isBelow(name);
    for (const [name, before] of versions) {
      const state = isGone(name) ? 'gone' : await findFile(pathOf(this.options.workingDir, name));
      if (typeof state !== 'string') unread.set(name, state);
      else if (inIndex.has(name) && this.large.has(name)) unread.set(name, { why: 'large', stamp: state });
      else if (this.unread.has(name)) settled[state].push(name);
      else if (state === 'present' || before !== null) found[state].push(name);
    }
    await this.dropUnchanged(unread, inIndex, signal);
    const last = this.unread;
    this.unread = unread;
    // One that is gone since is named too: its files were in no look.
    const listed = [...new Set([...this.repositories, ...repositories])];
    this.repositories = repositories;
    const changed = new Map<string, RawVersion>();
    for (const name of [...found.present, ...found.gone].filter((each) => inIndex.has(each))) {
      const before = versions.get(name) ?? null;
      if (before !== null) changed.set(name, before);
    }
    return {
      ...found,
      versions: changed,
      settled,
      unread: listDifferent(last, unread),
      repositories: listed,
    };
  }

  /** Returns what git lists as different, and the files that were gone at the last look. */
  private async listCandidates(signal: AbortSignal): Promise<Candidates> {
    const { seen } = this;
    // The longest first: git looks for untracked files in one thread, and for changed ones in many.
    const [others, changed, again] = await Promise.all([
      this.listUntracked(signal),
      this.listUnlikeIndex(signal),
      seen.listDifferent(signal),
    ]);
    const folders = others.filter((name) => name.endsWith('/'));
    const repositories = folders.filter((name) => this.counts(name));
    const files = others.filter((name) => !name.endsWith('/')).map((name) => [name, null] as const);
    const fresh = [...changed.versions, ...files].filter(([name]) => !seen.has(name));
    const versions = new Map([...fresh, ...again.versions].filter(([name]) => this.counts(name)));
    if (versions.size > MOST_FILES) throw new GitFailure('Too many files have changed.');
    // They may be there again, and as the index has them.
    for (const name of seen.gone) versions.set(name, null);
    const inIndex = new Set([...changed.versions.keys()].filter((name) => !seen.has(name)));
    // A file that was seen can have become a repository.
    const missing = new Set([
      ...changed.missing,
      ...again.missing,
      ...folders.map((name) => name.slice(0, -1)),
    ]);
    return { versions, inIndex, missing, repositories };
  }

  /** Returns the files that differ from the index, or may do so, with what it has of them. */
  private async listUnlikeIndex(signal: AbortSignal): Promise<DifferentFiles> {
    const { git } = this;
    const changed = await listDifferentFiles(git, signal);
    if (changed.versions.size <= MOST_FILES) return changed;
    // Perhaps only their times differ, for example because the repository was copied.
    await git(['update-index', '-q', '--unmerged', '--ignore-submodules', '--refresh'], signal);
    return listDifferentFiles(git, signal);
  }

  /** Returns the files that git neither tracks nor ignores; other repositories have a slash at their end. */
  private async listUntracked(signal: AbortSignal): Promise<string[]> {
    const ignoring = setRuleFile('excludesFile', this.options.excludesFile);
    const list = ['ls-files', '-z', '-o', '--exclude-standard'];
    return (await this.git([...ignoring, ...list], signal)).split('\0').filter(Boolean);
  }

  /** Removes large files whose time has changed, but not their content. */
  private async dropUnchanged(
    unread: Map<string, Unread>,
    inIndex: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<void> {
    // Only names in UTF-8 can be arguments.
    const canAsk = (name: string): boolean => inIndex.has(name) && encode(decode(name)) === name;
    const names = [...unread].flatMap(([name, { why }]) => (why === 'large' && canAsk(name) ? [name] : []));
    if (names.length === 0 || names.length > MOST_ASKED) return;
    const paths = names.map((name) => `:(literal)${decode(name)}`);
    const list = await this.git(['ls-files', '-z', '-m', '--', ...paths], signal);
    const changed = new Set(list.split('\0'));
    for (const name of names) if (!changed.has(name)) unread.delete(name);
  }
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
    const found = findWithoutLink(pathOf(this.folder, folder));
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
