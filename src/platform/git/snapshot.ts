import { realpath, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode } from '../files/files';
import { resolveLinks } from '../files/paths';
import { t } from '../text/translate';
import type { FileState } from './checkOut';
import { createCopyOpener, LONGEST_LOOK_MS, type OpenerOptions } from './copyOpener';
import { GitFailure } from './git';
import type { RepositoryCopy } from './repositoryCopy';

/** One of the two looks of a snapshot. */
export type SnapshotLook = 'before' | 'after';

/** All files of a repository that git does not ignore, before and after something changed them. */
export interface Snapshot {
  /** Takes in the files as they are now: those after. Never rejects. */
  end(): Promise<void>;
  /**
   * Writes the whole repository into an empty folder, without `.git`, and returns the path of the working directory in
   * it. @throws GitFailure where the files of that look are not known, or had no such directory
   */
  checkOut(look: SnapshotLook, folder: string, signal: AbortSignal): Promise<string>;
  /** Removes what it keeps in the background. Call it whatever happened. */
  drop(): void;
}

/** Takes in the files of the repository of a directory; undefined: they are not known. `stop` ends that. */
export type TakeSnapshot = (workingDir: string, stop: AbortSignal) => Promise<Snapshot | undefined>;

/**
 * Returns a function that takes in the files of whole repositories: a check in a folder may need those beside it. As the
 * measure of changes does, it runs nothing of the repository and writes nothing into it.
 */
export function createSnapshots(options: OpenerOptions): TakeSnapshot {
  const { findRepository, open } = createCopyOpener(options);
  return async (workingDir, stop) => {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(LONGEST_LOOK_MS)]);
    try {
      const { top } = await findRepository(workingDir, signal);
      const below = path.relative(resolveLinks(top), resolveLinks(workingDir));
      return await startSnapshot(await open(top, signal), below, signal);
    } catch {
      // Where git is missing, fails or is slow, the files are not known. No run may fail because of that.
      return undefined;
    }
  };
}

async function startSnapshot(copy: RepositoryCopy, below: string, signal: AbortSignal): Promise<Snapshot> {
  try {
    return new CopySnapshot(copy, await copy.readState(signal), below);
  } catch (error) {
    copy.remove();
    throw error;
  }
}

class CopySnapshot implements Snapshot {
  private after: FileState | undefined;

  constructor(
    private readonly copy: RepositoryCopy,
    private readonly before: FileState,
    /** Path of the working directory from the top of the repository. */
    private readonly below: string,
  ) {}

  async end(): Promise<void> {
    const signal = AbortSignal.timeout(LONGEST_LOOK_MS);
    try {
      await this.copy.lookAgain(signal);
      this.after = await this.copy.readState(signal);
    } catch {
      // As above.
      this.after = undefined;
    }
  }

  async checkOut(look: SnapshotLook, folder: string, signal: AbortSignal): Promise<string> {
    const state = look === 'before' ? this.before : this.after;
    if (state === undefined) throw new GitFailure(t('The files after the attempt are not known.'));
    await this.copy.checkOut(state, folder, signal);
    return this.findBelow(resolveLinks(folder));
  }

  /** Returns the working directory in a written copy. A link in its place could lead out of it. */
  private async findBelow(folder: string): Promise<string> {
    const place = path.join(folder, this.below);
    try {
      if ((await realpath(place)) === place && (await stat(place)).isDirectory()) return place;
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw error;
    }
    throw new GitFailure(t('The working directory was not there, or was a link.'));
  }

  drop(): void {
    this.copy.remove();
  }
}
