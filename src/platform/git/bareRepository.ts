import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { PRIVATE_FOLDER } from '../files/files';

/** Object formats of a repository. */
export const OBJECT_FORMATS = ['sha1', 'sha256'] as const;

export type ObjectFormat = (typeof OBJECT_FORMATS)[number];

/** Lengths of the names of objects. */
export const ID_BYTES: Readonly<Record<ObjectFormat, number>> = { sha1: 20, sha256: 32 };

/** Whether a value is the name of a format that this program knows. */
export function isObjectFormat(value: unknown): value is ObjectFormat {
  return OBJECT_FORMATS.some((format) => format === value);
}

/** Options of a repository of our own: its format, and further lines of its section `core`. */
interface RepositoryOptions {
  readonly format: ObjectFormat;
  readonly core: readonly string[];
}

/**
 * Makes an empty repository without asking git, or makes an interrupted one whole: one that has `HEAD` is. All at once: its
 * files are small, and take ten times as long in the background.
 */
export function makeRepository(folder: string, { format, core }: RepositoryOptions): void {
  for (const part of ['objects/info', 'objects/pack', 'refs', 'info'])
    mkdirSync(path.join(folder, part), { recursive: true, mode: PRIVATE_FOLDER });
  const version = format === 'sha1' ? '0' : '1';
  const extensions = format === 'sha1' ? [] : ['[extensions]', `objectFormat = ${format}`];
  const config = ['[core]', `repositoryFormatVersion = ${version}`, ...core, ...extensions, ''];
  writeFileSync(path.join(folder, 'config'), config.join('\n'));
  const head = path.join(folder, `HEAD.${String(process.pid)}`);
  writeFileSync(head, 'ref: refs/heads/none\n');
  renameSync(head, path.join(folder, 'HEAD'));
}
