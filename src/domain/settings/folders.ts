import { readWhole, wrongWhole, type Checked } from './settingShape';

/** Folders as they are written in a setting: absolute, or from the person's home. */
export function readFolders(value: unknown): Checked<readonly string[]> {
  return readWhole(() => {
    if (Array.isArray(value)) return value.map((folder: unknown) => readFolder(folder));
    throw wrongWhole('folders', value);
  });
}

function readFolder(value: unknown): string {
  const isFolder = typeof value === 'string' && (/^~?\//.test(value) || value === '~');
  // From somewhere else it would mean another folder, depending on who reads it.
  if (!isFolder) throw wrongWhole('folder', value);
  return value;
}
