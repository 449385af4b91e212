import type { EpochMs } from '../../domain/time/epoch';
import { systemClock, type Clock } from '../clock';
import { createCopyOpener, LONGEST_LOOK_MS, type OpenerOptions } from './copyOpener';
import { dropUntouched } from './leftOut';
import type { Change, RepositoryCopy } from './repositoryCopy';

/** A working directory as it was before something changed it. */
export interface DiffMeasure {
  /**
   * Returns how it differs now; undefined: not known (no git, no repository, too much, too slow). What changes later can
   * be measured in the same way, if `isCurrent`.
   */
  end(): Promise<Change | undefined>;
  /** Returns a hash of all files as they were at the last look; undefined: not known, also where something is left out. */
  hash(): Promise<string | undefined>;
  /** Whether the last `end` is also a look at this directory before what changes it from now on. */
  isCurrent(workingDir: string): Promise<boolean>;
  /** Removes the temporary copy in the background. Call it whatever happened. */
  drop(): void;
}

/** Options of a measurement. */
export interface DiffOptions extends OpenerOptions {
  /** Maximum duration of one look at the directory. */
  readonly longestMs?: number;
  readonly clock?: Pick<Clock, 'now'>;
}

/** Age of a look up to which it counts as one at the present, in ms. */
const CURRENT_MS = 1_000;

/** Starts to measure a directory. `stop` ends the first look at it; then there is nothing to compare with. */
export type MeasureDiff = (workingDir: string, stop: AbortSignal) => Promise<DiffMeasure>;

/**
 * Returns a function that measures how the files that git sees in a directory change. It runs nothing of the
 * repository, regardless of its configuration, attributes and hooks, and writes nothing into it. Git works with a
 * folder of its own: the index there is a copy, and objects are read from the repository.
 */
export function createDiffMeasure(options: DiffOptions): MeasureDiff {
  const opener = createCopyOpener(options);
  const { clock = systemClock } = options;
  return async (workingDir, stop) => {
    const startedAt = clock.now();
    const signal = AbortSignal.any([stop, limitTime(options)]);
    try {
      return new CopyMeasure(workingDir, await opener.open(workingDir, signal), options, startedAt);
    } catch {
      // Where git is missing, fails or is slow, the size is not known. No run may fail because of that.
      return UNKNOWN;
    }
  };
}

const UNKNOWN: DiffMeasure = {
  end: () => Promise.resolve(undefined),
  hash: () => Promise.resolve(undefined),
  isCurrent: () => Promise.resolve(false),
  drop: () => undefined,
};

function limitTime({ longestMs = LONGEST_LOOK_MS }: DiffOptions): AbortSignal {
  return AbortSignal.timeout(longestMs);
}

class CopyMeasure implements DiffMeasure {
  constructor(
    private readonly workingDir: string,
    private readonly copy: RepositoryCopy,
    private readonly options: DiffOptions,
    /** Time at which the last look started; NaN: it failed. */
    private lookedAt: EpochMs,
  ) {}

  async end(): Promise<Change | undefined> {
    const { clock = systemClock } = this.options;
    const startedAt = clock.now();
    const signal = limitTime(this.options);
    const since = this.lookedAt;
    this.lookedAt = NaN;
    try {
      const change = await this.copy.compare(signal);
      const leftOut = await dropUntouched(change.leftOut, change.place.top, since, signal);
      this.lookedAt = startedAt;
      return { ...change, leftOut };
    } catch {
      // As above.
      return undefined;
    }
  }

  async hash(): Promise<string | undefined> {
    try {
      return await this.copy.hash(limitTime(this.options));
    } catch {
      // As above.
      return undefined;
    }
  }

  async isCurrent(workingDir: string): Promise<boolean> {
    const { clock = systemClock } = this.options;
    const isRecent = Math.abs(clock.now() - this.lookedAt) <= CURRENT_MS;
    if (!isRecent || workingDir !== this.workingDir) return false;
    try {
      return await this.copy.isCurrent(limitTime(this.options));
    } catch {
      // As above.
      return false;
    }
  }

  drop(): void {
    this.copy.remove();
  }
}
