import type { DiffSize } from '../../domain/task/attempt';
import { type CopyOptions, findExcludes, openCopy, type RepositoryCopy } from './repositoryCopy';

/** A working directory as it was before something changed it. */
export interface DiffMeasure {
  /**
   * How much it differs now; undefined where that cannot be told: no git, no repository, too much, too slow. To be
   * called once, whatever happened meanwhile: it also takes away what the measure needed.
   */
  end(): Promise<DiffSize | undefined>;
}

/** How a directory is measured. */
export interface DiffOptions extends Omit<CopyOptions, 'excludes'> {
  /** How long one look at it may take. */
  readonly longestMs?: number;
}

const LONGEST_MS = 10_000;

/** Starts to measure a directory; `stop` ends the look at how it is now: there is nothing to compare with, then. */
export type MeasureDiff = (workingDir: string, stop: AbortSignal) => Promise<DiffMeasure>;

/**
 * What measures how much the files that git sees in a directory change. Nothing of a repository is run for it, whatever
 * its configuration, attributes and hooks say: git works with a folder of its own, in which only the index is a copy and
 * the objects are read from the repository. Nothing is written into the repository either. What the user ignores
 * everywhere is asked once.
 */
export function createDiffMeasure(options: DiffOptions): MeasureDiff {
  let known: string | undefined;
  return async (workingDir, stop) => {
    const signal = AbortSignal.any([stop, limitTime(options)]);
    try {
      known ??= await findExcludes(options.environment, signal);
      const copy = await openCopy(workingDir, { ...options, excludes: known }, signal);
      return { end: () => endDiff(copy, limitTime(options)) };
    } catch {
      // Where git is missing, fails or is slow, the size is not known, and no run is to fail for that.
      return { end: () => Promise.resolve(undefined) };
    }
  };
}

function limitTime({ longestMs = LONGEST_MS }: DiffOptions): AbortSignal {
  return AbortSignal.timeout(longestMs);
}

async function endDiff(copy: RepositoryCopy, signal: AbortSignal): Promise<DiffSize | undefined> {
  try {
    return await copy.compare(signal);
  } catch {
    // As above.
    return undefined;
  } finally {
    await copy.remove();
  }
}
