import { readWhole, wrongWhole, type Checked } from './settingShape';

/** Reads folders from a setting: absolute, or below the user's home (`~`). */
export function readFolders(value: unknown): Checked<readonly string[]> {
  return readWhole(() => {
    if (Array.isArray(value)) return value.map((folder: unknown) => readFolder(folder));
    throw wrongWhole('folders', value);
  });
}

function readFolder(value: unknown): string {
  const isFolder = typeof value === 'string' && (/^~?\//.test(value) || value === '~');
  // A relative path would mean another folder for each reader.
  if (!isFolder) throw wrongWhole('folder', value);
  return value;
}
