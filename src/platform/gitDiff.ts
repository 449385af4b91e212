import type { DiffSize } from '../domain/attempt';
import { type CopyOptions, openCopy, type RepositoryCopy } from './repositoryCopy';

/** A working directory as it was before something changed it. */
export interface DiffMeasure {
  /**
   * How much it differs now; undefined where that cannot be told: no git, no repository, too much, too slow. To be
   * called once, whatever happened meanwhile: it also takes away what the measure needed.
   */
  end(): Promise<DiffSize | undefined>;
}

/** What a measure goes by. */
export interface MeasureOptions extends CopyOptions {
  /** How long the beginning may keep the caller waiting; a slower one goes on beside it. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 2_000;

/** For one look at the directory. */
const LONGEST_MS = 10_000;

/**
 * Begins to measure how much the files that git sees in a directory change. Nothing of a repository is run for it,
 * whatever its configuration, attributes and hooks say: git works with a folder of its own, in which only the index is
 * a copy and the objects are read from the repository. Nothing is written into the repository either.
 */
export async function measureDiff(workingDir: string, options: MeasureOptions): Promise<DiffMeasure> {
  const begun = beginDiff(workingDir, options);
  await within(options.patienceMs ?? PATIENCE_MS, begun);
  return { end: async () => (await within(LONGEST_MS, begun))?.end() };
}

/** What comes in this time; null where it does not. */
async function within<T>(ms: number, coming: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      resolve(null);
    }, ms);
  });
  try {
    return await Promise.race([coming, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Never rejects: where git is missing, fails or is slow, the size is not known, and no run is to fail for that. */
async function beginDiff(workingDir: string, options: MeasureOptions): Promise<DiffMeasure | null> {
  const signal = AbortSignal.timeout(LONGEST_MS);
  let copy: RepositoryCopy | null = null;
  let before: string;
  try {
    copy = await openCopy(workingDir, options, signal);
    before = await copy.takeTree(signal);
  } catch {
    await copy?.remove();
    return null;
  }
  return { end: () => endDiff(copy, before) };
}

async function endDiff(copy: RepositoryCopy, before: string): Promise<DiffSize | undefined> {
  const signal = AbortSignal.timeout(LONGEST_MS);
  try {
    return await copy.compare(before, await copy.takeTree(signal), signal);
  } catch {
    // As above.
    return undefined;
  } finally {
    await copy.remove();
  }
}
