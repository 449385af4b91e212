import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import * as path from 'node:path';
import { hasCode } from '../files/files';
import type { Git } from './git';
import { NO_ENTRIES } from './indexFile/indexCursor';
import { type DifferentFiles, joinNames, listDifferentFiles, listStaged } from './indexFile/indexDifferences';
import { listNamesIn } from './indexFile/indexFacts';
import type { ObjectFormat } from './bareRepository';
import type { RawVersion } from './rawDiff';

/** Names of files, one character for each byte. */
export interface FoundFiles {
  /** Files and links that are there. */
  readonly present: readonly string[];
  /** Files that are not there any more. */
  readonly gone: readonly string[];
}

/** Names of the trees before and after files were taken in. */
export interface TreePair {
  readonly before: string;
  readonly after: string;
}

/** Options of the files that were seen. */
export interface SeenOptions {
  /** The repository of our own. */
  readonly folder: string;
  readonly format: ObjectFormat;
  /** Path of the working directory from the top of its repository; empty or with a slash at its end. */
  readonly inside: string;
  /** Returns git in the working directory, with this index. */
  readonly gitWith: (index: string) => Git;
}

/**
 * The files of a directory that differ from its index, as they were when they were last seen. They are in an index of
 * their own, which is small: the one of a large repository takes git long to read, and longer to write.
 */
export class SeenFiles {
  private readonly index: string;
  private readonly earlier: string;
  private readonly git: Git;
  private readonly gitEarlier: Git;
  private present: ReadonlySet<string> = new Set();
  private readonly absent = new Set<string>();

  constructor(private readonly options: SeenOptions) {
    this.index = path.join(options.folder, 'seen');
    this.earlier = path.join(options.folder, 'earlier');
    this.git = options.gitWith(this.index);
    this.gitEarlier = options.gitWith(this.earlier);
  }

  /** Files of the index that were not there. */
  get gone(): ReadonlySet<string> {
    return this.absent;
  }

  /** Whether the file was seen: what the index has of it is out of date. */
  has(name: string): boolean {
    return this.present.has(name) || this.absent.has(name);
  }

  /** Returns a line of each file that was seen, as `git ls-files --stage -z` has it. */
  async list(signal: AbortSignal): Promise<readonly string[]> {
    return this.present.size === 0 ? [] : listStaged(this.git, signal);
  }

  /** Returns the files that differ from what was seen, with what was seen of them. */
  async listDifferent(signal: AbortSignal): Promise<DifferentFiles> {
    if (this.present.size === 0) return { versions: new Map(), missing: new Set() };
    return listDifferentFiles(this.git, signal);
  }

  /** Takes in files as they are now. */
  async takeIn(found: FoundFiles, signal: AbortSignal): Promise<void> {
    if (found.present.length + found.gone.length === 0) return;
    await this.update(found, signal);
    this.note(found);
  }

  /**
   * Takes in files as they are now, and returns the trees of what was and is seen. `versions` are those before of files
   * that were not seen yet.
   */
  async replace(
    found: FoundFiles,
    versions: ReadonlyMap<string, RawVersion>,
    signal: AbortSignal,
  ): Promise<TreePair> {
    copyIndex(this.index, this.earlier);
    const [before, after] = await Promise.all([
      this.writeEarlier(versions, signal),
      this.update(found, signal).then(() => writeTree(this.git, signal)),
    ]);
    this.note(found);
    return { before, after };
  }

  private async writeEarlier(
    versions: ReadonlyMap<string, RawVersion>,
    signal: AbortSignal,
  ): Promise<string> {
    const lines = [...versions].map(
      ([name, { mode, object }]) => `${mode} ${object}\t${this.options.inside}${name}\0`,
    );
    if (lines.length > 0)
      await this.gitEarlier(['update-index', '-z', '--index-info'], signal, lines.join(''));
    return writeTree(this.gitEarlier, signal);
  }

  /**
   * Brings the index up to date by a plumbing command: unlike `add` and `status` it starts nothing in submodules. Files
   * that are gone go first: a folder or a link may be in their place.
   */
  private async update({ present, gone }: FoundFiles, signal: AbortSignal): Promise<void> {
    const update = async (how: readonly string[], names: readonly string[]): Promise<void> => {
      if (names.length > 0)
        await this.git(['update-index', '-z', ...how, '--stdin'], signal, joinNames(names));
    };
    await update(
      ['--force-remove'],
      gone.filter((name) => this.present.has(name)),
    );
    await update(['--add', '--remove', '--replace'], present);
  }

  /** Notes what was seen. A file can have gone after it was found. */
  private note({ present, gone }: FoundFiles): void {
    const { format, inside } = this.options;
    const bytes = existsSync(this.index) ? readFileSync(this.index) : NO_ENTRIES;
    this.present = new Set(listNamesIn({ bytes, format, inside }));
    for (const name of [...present, ...gone])
      if (this.present.has(name)) this.absent.delete(name);
      else this.absent.add(name);
  }
}

async function writeTree(git: Git, signal: AbortSignal): Promise<string> {
  return (await git(['write-tree', '--missing-ok'], signal)).trim();
}

/** Copies an index; removes the copy if there is none. */
export function copyIndex(from: string, to: string): void {
  rmSync(to, { force: true });
  try {
    copyFileSync(from, to);
  } catch (error) {
    // Nothing was seen yet, or the repository is new.
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}
