import { isAbsolute, resolve } from 'node:path';
import { formatRepository, isRepository, parseRepository } from '../../domain/task/repository';
import type { Definition } from '../../domain/task/task';
import { findOutside } from '../../platform/files/allowedDirectories';
import { findFolder, type FoundFolder } from '../../platform/files/repositories';
import type { Meaning } from './meaning';
import type { RowContext } from './rowContext';
import { t } from '../../platform/text/translate';

/** Parses a working directory: a path, or a folder in a repository of this machine. */
export function readWorkingDir(text: string, context: RowContext): Meaning<string> {
  if (text === '')
    return {
      wrong: t("The working directory is missing. Give a path, absolute or from the queue's workspace."),
    };
  if (isRepository(text)) return readRepository(text, context);
  if (context.folder === null && !isAbsolute(text)) {
    return {
      wrong: t(
        'The working directory {0} is not the same on every machine. Write repo:NAME, or an absolute path.',
        text,
      ),
    };
  }
  const folder = resolveFolder(text, context);
  const outside = findOutside(folder, context.allowedDirectories ?? []);
  return outside === null ? { value: folder } : { wrong: outside };
}

function readRepository(text: string, context: RowContext): Meaning<string> {
  const path = parseRepository(text);
  if (path === null) {
    return {
      wrong: t(
        'The working directory {0} does not name a folder in a repository. Write repo:NAME or repo:NAME/folder, without "..".',
        text,
      ),
    };
  }
  const value = formatRepository(path);
  const found = findRowFolder(value, context);
  if (found.kind === 'elsewhere') return { value };
  if (found.kind === 'outside') {
    return {
      wrong: t(
        'The working directory {0} leads out of its repository {1}, to {2}. Use a folder in the repository.',
        value,
        found.repository,
        found.folder,
      ),
    };
  }
  const outside = findOutside(found.folder, context.allowedDirectories ?? []);
  return outside === null ? { value } : { wrong: outside };
}

function findRowFolder(workingDir: string, { repositories, realFolders }: RowContext): FoundFolder {
  return findFolder(workingDir, repositories ?? new Map(), realFolders && ((one) => realFolders.find(one)));
}

/** Returns the real folder, if it is another one, and the target of a repository's folder that is a link. */
export function readRealDir(
  workingDir: string,
  context: RowContext,
): Pick<Definition, 'realDir' | 'linkedRepository'> {
  const found = findRowFolder(workingDir, context);
  if (found.kind !== 'here') return {};
  const { folder: realDir, linkedRepository } = found;
  return {
    ...(realDir === workingDir ? {} : { realDir }),
    ...(linkedRepository === undefined ? {} : { linkedRepository }),
  };
}

/** Returns the absolute path of a folder that a row or a rule names. */
export function resolveFolder(text: string, { folder, home }: Pick<RowContext, 'folder' | 'home'>): string {
  // Most rows name the folder of the queue so. To resolve it takes a tenth of the time in which a row is read.
  if (text === '.' && folder !== null) return folder;
  return text === '~' || text.startsWith('~/') ? resolve(home, text.slice(2)) : resolve(folder ?? '/', text);
}
