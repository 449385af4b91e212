import * as path from 'node:path';
import type { BlobSizes } from './blobSizes';
import { findWithoutLink, pathOf } from '../fileNames';
import type { Git } from '../git';
import { countEntries, type IndexBytes, IndexCursor } from './indexCursor';

/** Maximum size of a file that counts. Larger ones are no text, and are not copied. */
export const LARGEST_FILE_BYTES = 10 * 1024 * 1024;

/** An index, and the part of it to read. */
export interface IndexSource extends IndexBytes {
  /** Path of the working directory from the top, one character for each byte; empty or with a slash at its end. */
  readonly inside: string;
}

/** Facts of an index about the files in a directory. Names have one character for each byte. */
export interface IndexFacts {
  /** Files that were large when git last looked at them. */
  readonly large: ReadonlySet<string>;
  readonly submodules: readonly string[];
  /** Files outside a sparse checkout. */
  readonly notCheckedOut: readonly string[];
  /** Files and submodules that git takes for unchanged without a look at them. */
  readonly assumed: readonly string[];
  /** Files of attributes that count in the directory, from the top of the repository. */
  readonly attributes: readonly string[];
}

const ATTRIBUTES = Buffer.from('.gitattributes');

/** Returns the names of all entries below the directory. */
export function listNamesIn({ bytes, format, inside }: IndexSource): string[] {
  const names: string[] = [];
  visitBelow({ bytes, format, inside }, ({ name }) => names.push(name.slice(inside.length)));
  return names;
}

/** Returns what an index says. */
export function readIndexFacts({ bytes, format, inside }: IndexSource): IndexFacts {
  const large = new Set<string>();
  const submodules: string[] = [];
  const notCheckedOut: string[] = [];
  const assumed: string[] = [];
  const attributes: string[] = [];
  const start = Buffer.from(inside, 'latin1');
  const cursor = new IndexCursor(bytes, format);
  while (cursor.move()) {
    if (cursor.endsWith(ATTRIBUTES)) attributes.push(cursor.name);
    const isLarge = cursor.size > LARGEST_FILE_BYTES;
    const { isSkipped, isAssumed, isSubmodule } = cursor;
    if (!(isLarge || isSubmodule || isSkipped || isAssumed) || !cursor.startsWith(start)) continue;
    const name = cursor.name.slice(inside.length);
    if (isAssumed) assumed.push(name);
    if (isSubmodule) submodules.push(name);
    else if (isLarge) large.add(name);
    else if (isSkipped) notCheckedOut.push(name);
  }
  return { large, submodules, notCheckedOut, assumed, attributes: attributes.filter(countsIn(inside)) };
}

/** Returns a check for whether a file of attributes counts in the directory: it is in it, or in a folder above. */
function countsIn(inside: string): (name: string) => boolean {
  return (name) => {
    const folder = name.slice(0, -ATTRIBUTES.length);
    return (
      (folder === '' || folder.endsWith('/')) && (inside.startsWith(folder) || folder.startsWith(inside))
    );
  };
}

/** Returns the sizes of the files in the directory when git last looked at them, without large ones. */
export function listSizes(index: IndexSource): Map<string, number> {
  const sizes = new Map<string, number>();
  visitBelow(index, ({ isFile, size, name }) => {
    if (isFile && size <= LARGEST_FILE_BYTES) sizes.set(name.slice(index.inside.length), size);
  });
  return sizes;
}

/** Returns the files of these that are there. The folders of most are not. */
export function listThere(workingDir: string, names: readonly string[]): string[] {
  const folders = new Map<string, boolean>();
  const isThere = (name: string): boolean => findWithoutLink(pathOf(workingDir, name)) !== undefined;
  const hasFolder = (name: string): boolean => {
    const folder = path.dirname(name);
    const known = folders.get(folder) ?? isThere(folder);
    folders.set(folder, known);
    return known;
  };
  return names.filter((name) => hasFolder(name) && isThere(name));
}

/**
 * Returns the unchanged files in a directory whose content in the index is not the one in the directory, because git
 * converts it: line ends, or large files that are kept elsewhere. They are found by their sizes: attributes and settings can
 * ask for it in many places, and may have changed since git converted the file. `listFiltered` finds those of equal size.
 */
export async function listConverted(
  index: IndexSource,
  workingDir: string,
  { git, sizes }: { readonly git: Git; readonly sizes: BlobSizes },
  signal: AbortSignal,
): Promise<string[]> {
  const last = sizes.lastSame(index.format);
  if (last?.bytes.equals(index.bytes) === true) return [];
  const known = sizes.of(index.format, countEntries(index.bytes));
  const unknown: number[] = [];
  let different = 0;
  visitUnlike(index, last, (entry) => {
    const stored = known.get(index.bytes, entry.idAt);
    if (stored === undefined) unknown.push(entry.idAt);
    else if (stored !== entry.size) different++;
  });
  await sizes.learn(index, unknown, git, signal);
  const names: string[] = [];
  if (different + unknown.length > 0)
    visitUnlike(index, last, (entry) => {
      const { idAt, size } = entry;
      if (known.get(index.bytes, idAt) === size) return;
      different++;
      const name = entry.name.slice(index.inside.length);
      if (size <= LARGEST_FILE_BYTES && hasSize(workingDir, name, size)) names.push(name);
    });
  if (different === 0 && index.inside === '') sizes.noteSame(index);
  return names;
}

/**
 * Entries of the last index, beside those of another one that are asked for in their order. Most are the same, and
 * comparing them takes less time than looking for the size.
 */
class LastEntries {
  private readonly cursor: IndexCursor | undefined;
  private isOver = true;

  constructor(last: IndexBytes | undefined) {
    if (last === undefined) return;
    this.cursor = new IndexCursor(last.bytes, last.format);
    this.isOver = !this.cursor.move();
  }

  /** Whether there is a file with the same object and size. */
  have(entry: IndexCursor): boolean {
    const { cursor } = this;
    if (cursor === undefined || this.isOver) return false;
    const isLike = (): boolean => cursor.isFile && cursor.isLike(entry);
    if (!isLike()) {
      const { name } = entry;
      while (!this.isOver && cursor.name < name) this.isOver = !cursor.move();
      if (this.isOver || !isLike()) return false;
    }
    this.isOver = !cursor.move();
    return true;
  }
}

/** Visits the entries of files and links in the directory that are not the same in the last index. */
function visitUnlike(
  index: IndexSource,
  last: IndexBytes | undefined,
  visit: (entry: IndexCursor) => void,
): void {
  const same = new LastEntries(last);
  visitBelow(index, (entry) => {
    if (entry.isFile && !same.have(entry)) visit(entry);
  });
}

function visitBelow({ bytes, format, inside }: IndexSource, visit: (entry: IndexCursor) => void): void {
  const start = Buffer.from(inside, 'latin1');
  const cursor = new IndexCursor(bytes, format);
  while (cursor.move()) if (cursor.startsWith(start)) visit(cursor);
}

/** Whether the directory has the file as git last saw it. One that git does not check out is missing, for example. */
function hasSize(workingDir: string, name: string, size: number): boolean {
  return findWithoutLink(pathOf(workingDir, name))?.size === size;
}
