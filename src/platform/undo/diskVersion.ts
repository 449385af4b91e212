import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Stats,
} from 'node:fs';
import type { EpochMs } from '../../domain/time/epoch';
import { hasCode } from '../files/files';
import { findWithoutLink, pathOf } from '../git/fileNames';
import { LARGEST_FILE_BYTES } from '../git/indexFile/indexFacts';
import type { ObjectFormat } from '../git/bareRepository';
import { isSameVersion, type RawVersion } from '../git/rawDiff';

/** Modes that git has for files. */
export const FILE = '100644';
export const PROGRAM = '100755';
export const LINK = '120000';

/** A file or link as it is on the disk. */
export interface DiskFile {
  readonly version: RawVersion;
  readonly bytes: Buffer;
  /** Its permissions. */
  readonly permissions: number;
  /** Time since which it exists, under any name. */
  readonly bornAt: EpochMs;
}

/** Content of a path: a file, nothing, or something whose content is not read. */
export type DiskVersion = DiskFile | 'nothing' | 'folder' | 'other';

/** Looks at paths below a folder. Names have one character for each byte. Follows no link. */
export class DiskLook {
  constructor(
    readonly top: string,
    private readonly format: ObjectFormat,
  ) {}

  /** Returns the path of a name. */
  pathOf(name: string): Buffer {
    return name === '' ? Buffer.from(this.top) : pathOf(this.top, name);
  }

  /** Returns what is at a path. Nothing is found below a file; what is below a link is `other`. */
  read(name: string): DiskVersion {
    for (const folder of foldersAbove(name)) {
      const found = findWithoutLink(this.pathOf(folder));
      if (found === undefined || found.isFile()) return 'nothing';
      if (!found.isDirectory()) return 'other';
    }
    const file = this.pathOf(name);
    const found = findWithoutLink(file);
    if (found === undefined) return 'nothing';
    if (found.isDirectory()) return 'folder';
    if (found.isSymbolicLink()) return this.describe(LINK, readlinkSync(file, { encoding: 'buffer' }), found);
    return found.isFile() ? this.readFile(file) : 'other';
  }

  /** Whether this path has a version: the same content and mode; null: nothing is there. */
  has(name: string, version: RawVersion | null): boolean {
    const found = this.read(name);
    if (typeof found === 'string') return version === null && found === 'nothing';
    return isSameVersion(found.version, version);
  }

  /** Returns the names in a folder, with one character for each byte; none: there is no such folder. */
  list(name: string): string[] {
    try {
      const found = readdirSync(this.pathOf(name), { encoding: 'buffer' });
      return found.map((each) => each.toString('latin1'));
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
      throw error;
    }
  }

  /** Returns the folder at a path; undefined: there is none. */
  folder(name: string): Stats | undefined {
    const found = findWithoutLink(this.pathOf(name));
    return found?.isDirectory() === true ? found : undefined;
  }

  private readFile(file: Buffer): DiskVersion {
    // A file that is replaced by a link or a pipe meanwhile is not read through it.
    const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = fstatSync(handle);
      // No version that is kept is as large.
      if (found.size > LARGEST_FILE_BYTES) return 'other';
      return this.describe((found.mode & 0o100) === 0 ? FILE : PROGRAM, readFileSync(handle), found);
    } finally {
      closeSync(handle);
    }
  }

  private describe(mode: string, bytes: Buffer, found: Stats): DiskFile {
    const hash = createHash(this.format).update(`blob ${String(bytes.length)}\0`);
    const version = { mode, object: hash.update(bytes).digest('hex') };
    return { version, bytes, permissions: found.mode & 0o7777, bornAt: bornAt(found) };
  }
}

/** Returns the time since which a file exists, under any name. */
export function bornAt(
  { birthtimeMs, ctimeMs, mtimeMs }: Pick<Stats, 'birthtimeMs' | 'ctimeMs' | 'mtimeMs'>,
  platform: NodeJS.Platform = process.platform,
): EpochMs {
  // Some file systems do not know it, and macOS sets it back where a copy or an archive keeps an earlier time.
  const isKnown = birthtimeMs > 0 && !(platform === 'darwin' && birthtimeMs === mtimeMs);
  return isKnown ? birthtimeMs : ctimeMs;
}

/** Returns the folders above a path, from the top down; the top itself is not one of them. */
export function foldersAbove(name: string): string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Whether something is at a path, whatever its type. */
export function isThere(file: Buffer): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}
