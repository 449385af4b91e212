import { lstatSync, type Stats } from 'node:fs';
import * as path from 'node:path';
import { hasCode } from '../files/files';
import { resolveLinks } from '../files/paths';

/** Returns the text of a name, which has one character for each byte; what is not UTF-8 is replaced. */
export function decode(name: string): string {
  return Buffer.from(name, 'latin1').toString('utf8');
}

/** Returns the name of a text, with one character for each byte. */
export function encode(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** Returns the path of a name in a folder, byte by byte. */
export function pathOf(folder: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}${path.sep}`), Buffer.from(name, 'latin1')]);
}

/**
 * Returns what is at a path, without following a link at its end. Undefined: nothing, a file is in the place of a folder,
 * or the folder cannot be read.
 */
export function findWithoutLink(file: Buffer): Stats | undefined {
  try {
    return lstatSync(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')) return undefined;
    throw error;
  }
}

/** Returns a check for whether a name in the directory is one of these paths, or below one. */
export function findOwn(workingDir: string, paths: readonly string[]): (name: string) => boolean {
  const [inside = workingDir, ...own] = [workingDir, ...paths].map(resolveLinks);
  return (name) => {
    const file = `${path.join(inside, decode(name))}${path.sep}`;
    return own.some((one) => file.startsWith(`${one}${path.sep}`));
  };
}
