import { isRepositoryName } from '../task/repository';
import { readFields, readWhole, within, wrongWhole, type Checked } from './structuredSettings';

/** Reads folders from a setting: absolute, or below the user's home (`~`). */
export function readFolders(value: unknown): Checked<readonly string[]> {
  return readWhole(() => {
    if (Array.isArray(value)) return value.map((folder: unknown) => readFolder(folder));
    throw wrongWhole('folders', value);
  });
}

/** Reads the folders of repositories by name from a setting. */
export function readRepositories(value: unknown): Checked<ReadonlyMap<string, string>> {
  return readWhole(() => {
    const entries = Object.entries(readFields(value));
    return new Map(
      entries.map(([name, folder]) => {
        if (!isRepositoryName(name)) throw wrongWhole('repository-name', name);
        return [name, within(name, () => readFolder(folder))];
      }),
    );
  });
}

function readFolder(value: unknown): string {
  const isFolder = typeof value === 'string' && (/^~?\//.test(value) || value === '~');
  // A relative path would mean another folder for each reader.
  if (!isFolder) throw wrongWhole('folder', value);
  return value;
}
