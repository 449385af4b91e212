import { access, constants, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode } from '../files/files';

/** Whether the file exists and may be executed. */
export async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP')) return false;
    throw error;
  }
}

/** Whether the system looks a program up on the PATH: it does not where the name has a slash. */
export function isLookedUp(program: string): boolean {
  return !program.includes('/');
}

/** Returns the file that starts as `program` in the folder `cwd`, as the system finds it; null: there is none. */
export async function findProgram(
  program: string,
  cwd: string,
  { PATH = '/usr/bin:/bin' }: NodeJS.ProcessEnv,
): Promise<string | null> {
  // An empty entry of the PATH is the folder itself.
  const folders = isLookedUp(program) ? PATH.split(path.delimiter) : [''];
  for (const folder of folders) {
    const file = path.resolve(cwd, folder, program);
    if (await isProgram(file)) return file;
  }
  return null;
}
