import { lstatSync } from 'node:fs';
import type { BlobSizes } from './blobSizes';
import { pathOf } from './fileNames';
import type { Git } from './git';
import { IndexCursor } from './indexCursor';
import type { ObjectFormat } from './privateRepository';

/** Maximum size of a file that counts. Larger ones are no text, and are not copied. */
export const LARGEST_FILE_BYTES = 10 * 1024 * 1024;

/** Where an index is from. */
export interface IndexSource {
  readonly bytes: Buffer;
  readonly format: ObjectFormat;
  /** Path of the working directory from the top, one character for each byte; empty or with a slash at its end. */
  readonly inside: string;
}

/** What an index says about the files in a directory. Names have one character for each byte. */
export interface IndexFacts {
  /** Files that were large when git last looked at them. */
  readonly large: ReadonlySet<string>;
  readonly submodules: readonly string[];
  /** Whether the repository has files that can ask git to convert others. */
  readonly hasAttributes: boolean;
}

const ATTRIBUTES = Buffer.from('.gitattributes');

/** Returns what an index says. */
export function readIndexFacts({ bytes, format, inside }: IndexSource): IndexFacts {
  const large = new Set<string>();
  const submodules: string[] = [];
  let hasAttributes = false;
  const start = Buffer.from(inside, 'latin1');
  const cursor = new IndexCursor(bytes, format);
  while (cursor.move()) {
    hasAttributes ||= cursor.isNamed(ATTRIBUTES);
    const isLarge = cursor.size > LARGEST_FILE_BYTES;
    if ((!isLarge && !cursor.isSubmodule) || !cursor.startsWith(start)) continue;
    const name = cursor.name.slice(inside.length);
    if (cursor.isSubmodule) submodules.push(name);
    else large.add(name);
  }
  return { large, submodules, hasAttributes };
}

interface Entry {
  readonly name: string;
  readonly size: number;
  readonly id: string;
}

/**
 * Returns the unchanged files in a directory whose content in the index is not the one in the directory, because git
 * converts it: line ends, or large files that are kept elsewhere.
 */
export async function listConverted(
  { bytes, format, inside }: IndexSource,
  workingDir: string,
  { git, sizes }: { readonly git: Git; readonly sizes: BlobSizes },
  signal: AbortSignal,
): Promise<string[]> {
  const entries: Entry[] = [];
  const unknown = new Set<string>();
  const start = Buffer.from(inside, 'latin1');
  const cursor = new IndexCursor(bytes, format);
  while (cursor.move()) {
    if (!cursor.isFile || !cursor.startsWith(start)) continue;
    const { id, size } = cursor;
    const known = sizes.get(id);
    if (known === size) continue;
    if (known === undefined) unknown.add(id);
    entries.push({ name: cursor.name.slice(inside.length), size, id });
  }
  await sizes.learn(unknown, git, signal);
  return entries
    .filter(({ id, size }) => sizes.get(id) !== size)
    .filter(({ name, size }) => size <= LARGEST_FILE_BYTES && hasSize(workingDir, name, size))
    .map(({ name }) => name);
}

/** Whether the directory has the file as git last saw it. One that git does not check out is missing, for example. */
function hasSize(workingDir: string, name: string, size: number): boolean {
  return lstatSync(pathOf(workingDir, name), { throwIfNoEntry: false })?.size === size;
}
