import type { DiffSize } from '../../domain/task/attempt';
import { createFindRepository } from './findRepository';
import { type CopyOptions, findExcludes, openCopy, type RepositoryCopy } from './repositoryCopy';

/** A working directory as it was before something changed it. */
export interface DiffMeasure {
  /**
   * Returns how much it differs now; undefined: not known (no git, no repository, too much, too slow). Call it once,
   * whatever happened meanwhile: it also has the temporary copy removed.
   */
  end(): Promise<DiffSize | undefined>;
}

/** Options of a measurement. */
export interface DiffOptions extends Pick<CopyOptions, 'environment' | 'except'> {
  /** Maximum duration of one look at the directory. */
  readonly longestMs?: number;
}

const LONGEST_MS = 10_000;

/** Starts to measure a directory. `stop` ends the first look at it; then there is nothing to compare with. */
export type MeasureDiff = (workingDir: string, stop: AbortSignal) => Promise<DiffMeasure>;

/**
 * Returns a function that measures how much the files that git sees in a directory change. It runs nothing of the
 * repository, regardless of its configuration, attributes and hooks, and writes nothing into it. Git works with a
 * folder of its own: the index there is a copy, and objects are read from the repository. The user's global excludes
 * file is asked for once, and a repository while it stays where it is.
 */
export function createDiffMeasure(options: DiffOptions): MeasureDiff {
  let excludes: string | undefined;
  const findRepository = createFindRepository(options.environment);
  return async (workingDir, stop) => {
    const signal = AbortSignal.any([stop, limitTime(options)]);
    try {
      excludes ??= await findExcludes(options.environment, signal);
      const copy = await openCopy(workingDir, { ...options, findRepository, excludes }, signal);
      return { end: () => endDiff(copy, limitTime(options)) };
    } catch {
      // Where git is missing, fails or is slow, the size is not known. No run may fail because of that.
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
    copy.remove();
  }
}
