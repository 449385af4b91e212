import * as path from 'node:path';
import { createLatinGit } from './git';
import { ID_BYTES, type ObjectFormat } from './bareRepository';
import { copyIndex } from './seenFiles';

/** All files of a repository at one look, as they differ from the index of its copy. Names have one character for each byte. */
export interface FileState {
  /** A line for each file that differs, as `git ls-files --stage` has it. */
  readonly different: readonly string[];
  /** Files of the index that were not there. */
  readonly gone: readonly string[];
}

/** Request to write the files of a look. */
export interface CheckOut {
  /** The copy of the repository, whose index covers all files. */
  readonly repository: string;
  /** Environment in which git works with the copy. */
  readonly env: NodeJS.ProcessEnv;
  readonly format: ObjectFormat;
  readonly state: FileState;
  /** An empty folder. */
  readonly into: string;
}

/**
 * Writes the files of a look, byte for byte: the copy converts nothing. Of a submodule there is only its empty folder.
 * @throws GitFailure, for example where an object is missing
 */
export async function checkOut(
  { repository, env, format, state, into }: CheckOut,
  signal: AbortSignal,
): Promise<void> {
  const index = path.join(repository, 'whole');
  copyIndex(path.join(repository, 'index'), index);
  const git = createLatinGit(into, { ...env, GIT_WORK_TREE: into, GIT_INDEX_FILE: index });
  // The files that are gone go first: a folder or a link may be in the place of one.
  const nothing = `0 ${'00'.repeat(ID_BYTES[format])}`;
  const lines = [...state.gone.map((name) => `${nothing}\t${name}`), ...state.different];
  if (lines.length > 0)
    await git(['update-index', '-z', '--index-info'], signal, lines.map((line) => `${line}\0`).join(''));
  await git(['checkout-index', '--all', '--quiet'], signal);
}
