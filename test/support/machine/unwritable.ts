import { constants, promises } from 'node:fs';

/** Runs `work` while the system says that this file or folder cannot be written: for root, permissions would not. */
export async function withUnwritable<T>(
  file: string,
  work: () => Promise<T>,
  code: 'EACCES' | 'EPERM' = 'EPERM',
): Promise<T> {
  const { access } = promises;
  const refuse: typeof access = (path, mode = constants.F_OK) =>
    path === file && (mode & constants.W_OK) !== 0
      ? Promise.reject(Object.assign(new Error(code), { code }))
      : access(path, mode);
  Object.assign(promises, { access: refuse });
  try {
    return await work();
  } finally {
    Object.assign(promises, { access });
  }
}
