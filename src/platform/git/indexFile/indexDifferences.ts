import type { Git } from '../git';
import { parseRawDiff, type RawVersion } from '../rawDiff';

/** Files that differ from an index, or may do so. */
export interface DifferentFiles {
  /** Versions of them in the index. */
  readonly versions: ReadonlyMap<string, RawVersion | null>;
  /** Those of them that git does not find: nothing is there, or what it cannot take in. */
  readonly missing: ReadonlySet<string>;
}

/** In submodules, nothing is looked at but their commit. */
const LIST_DIFFERENT = ['diff-files', '-z', '--raw', '--relative', '--ignore-submodules=dirty'];

/** Files that cannot be found, for whatever reason. */
const LIST_NOT_FOUND = ['ls-files', '-z', '-d'];

/** Returns the files that differ from the index of this git, and those in folders that cannot be read. */
export async function listDifferentFiles(git: Git, signal: AbortSignal): Promise<DifferentFiles> {
  const warnings: string[] = [];
  const found = await git(LIST_DIFFERENT, signal, '', (text) => warnings.push(text));
  const { differences } = parseRawDiff(found);
  // Git complains about files that it may not look at, and leaves them out.
  const notFound =
    warnings.length === 0 ? [] : (await git(LIST_NOT_FOUND, signal)).split('\0').filter(Boolean);
  return {
    versions: new Map([
      ...notFound.map((name) => [name, null] as const),
      ...differences.map(({ path: name, before }) => [name, before] as const),
    ]),
    missing: new Set(differences.flatMap(({ path: name, after }) => (after === null ? [name] : []))),
  };
}

/**
 * Makes git read files that its index says to take for unchanged. Their times in it prove nothing: where git writes its
 * index, it does not note of them that they changed within the second of their last look.
 * @param names from the top of the repository
 */
export async function dropAssumed(git: Git, names: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
  const lines = (await git(['ls-files', '--full-name', '--stage', '-z'], signal)).split('\0');
  // An entry that comes in this way has neither times nor that mark.
  const assumed = lines.filter((line) => names.has(line.slice(line.indexOf('\t') + 1)));
  await git(['update-index', '-z', '--index-info'], signal, joinNames(assumed));
}

/** Returns names as git reads them from its input. */
export function joinNames(names: readonly string[]): string {
  return names.map((name) => `${name}\0`).join('');
}

/** Returns a line of each file in the index of this git: `MODE OBJECT STAGE\tNAME`. */
export async function listStaged(git: Git, signal: AbortSignal): Promise<readonly string[]> {
  return (await git(['ls-files', '--stage', '-z'], signal)).split('\0').filter(Boolean);
}
