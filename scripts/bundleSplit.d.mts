import type { BuildOptions, BuildResult } from 'esbuild';

/** A file that is read later. */
export interface LaterFile {
  readonly file: string;
  /** Modules that it has, with all that these import other than by import(); absent: all that no other file has. */
  readonly roots?: readonly string[];
}

/** Bundles as the options say, and what is for later into the other files. Gives esbuild's results, one for each file. */
export function bundleSplit(
  bundle: (options: BuildOptions) => Promise<BuildResult>,
  options: BuildOptions,
  later: readonly LaterFile[],
): Promise<readonly BuildResult[]>;
