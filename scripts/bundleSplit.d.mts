import type { BuildOptions, BuildResult } from 'esbuild';

/** Bundles as the options say, and what is for later into the file `laterFile`. Gives esbuild's two results. */
export function bundleSplit(
  bundle: (options: BuildOptions) => Promise<BuildResult>,
  options: BuildOptions,
  laterFile: string,
): Promise<[BuildResult, BuildResult]>;
