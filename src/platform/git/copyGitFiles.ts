import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { hasCode } from '../files/files';
import type { Repository } from './findRepository';
import { type Git, notOfGit } from './git';
import { NO_ENTRIES } from './indexFile/indexCursor';
import { makeRepository } from './bareRepository';

/** Maximum size of an index: a repository of some millions of files. */
const LARGEST_INDEX_BYTES = 512 * 1024 * 1024;

/** Files are kept as they are: no conversion of line ends, no filters. This has priority over `.gitattributes`. */
const AS_THEY_ARE = '* -text -eol -ident -filter -working-tree-encoding\n';

/** Copies what git needs of a repository to look at its files, and returns the bytes of the index. */
export async function copyGitFiles(
  folder: string,
  { objects, index, exclude, format }: Repository,
  git: Git,
  signal: AbortSignal,
): Promise<Buffer> {
  const isMac = process.platform === 'darwin';
  const names = isMac ? ['ignoreCase = true', 'precomposeUnicode = true'] : [];
  makeRepository(folder, {
    format,
    // Git then looks also at files outside a sparse checkout that are there.
    core: ['bare = false', 'compression = 0', 'splitIndex = false', 'sparseCheckout = true', ...names],
  });
  writeFileSync(path.join(folder, 'objects/info/alternates'), `${objects}\n`);
  writeFileSync(path.join(folder, 'info/attributes'), AS_THEY_ARE);
  copyWhereThere(exclude, path.join(folder, 'info/exclude'));
  const copy = path.join(folder, 'index');
  const bytes = copyWhereThere(index, copy);
  // A new repository has no index.
  if (bytes === null) return NO_ENTRIES;
  // A split index has its larger part in files beside it.
  const beside = path.dirname(index);
  const parts = readdirSync(beside).filter((each) => each.startsWith('sharedindex.'));
  if (parts.length === 0) return bytes;
  for (const name of parts) copyWhereThere(path.join(beside, name), path.join(folder, name));
  await git(['update-index', '--no-split-index'], signal);
  return readFileSync(copy);
}

/** Copies a file, and returns its bytes; null: there is none. */
function copyWhereThere(from: string, to: string): Buffer | null {
  try {
    const found = statSync(from);
    // A pipe, say, would never end.
    if (!found.isFile() || found.size > LARGEST_INDEX_BYTES) throw notOfGit(from);
    const bytes = readFileSync(from);
    writeFileSync(to, bytes);
    // Git reads a file again that is no older than the index, since its stamp proves nothing. A younger copy would
    // prevent that.
    utimesSync(to, found.atime, Math.floor(found.mtimeMs / 1000));
    return bytes;
  } catch (error) {
    // A new repository has no index, and the excludes file is optional.
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}
