import { readWhole, show, type Checked, WrongPart } from './settingShape';

const EXAMPLE = '[~/work, /srv/projects]';

/** Folders as they are written in a setting: absolute, or from the person's home. */
export function readFolders(value: unknown): Checked<readonly string[]> {
  return readWhole(() => {
    if (Array.isArray(value)) return value.map((folder: unknown) => readFolder(folder));
    throw new WrongPart(`must be a list of folders, such as ${EXAMPLE}; it is ${show(value)}.`);
  });
}

function readFolder(value: unknown): string {
  const isFolder = typeof value === 'string' && (/^~?\//.test(value) || value === '~');
  // From somewhere else it would mean another folder, depending on who reads it.
  if (!isFolder)
    throw new WrongPart(`must name folders from "/" or "~/", such as ${EXAMPLE}; one is ${show(value)}.`);
  return value;
}
