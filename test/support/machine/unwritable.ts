import { constants, promises } from 'node:fs';

/** Runs `work` while the system says that this file cannot be written: for root, permissions would not. */
export async function withUnwritable<T>(file: string, work: () => Promise<T>): Promise<T> {
  const { access } = promises;
  const refuse: typeof access = (path, mode) =>
    path === file && mode === constants.W_OK
      ? Promise.reject(Object.assign(new Error('EPERM'), { code: 'EPERM' }))
      : access(path, mode);
  Object.assign(promises, { access: refuse });
  try {
    return await work();
  } finally {
    Object.assign(promises, { access });
  }
}
