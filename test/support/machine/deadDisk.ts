import { promises } from 'node:fs';

/** Runs `work` while the disk of a folder does not answer: as a network drive whose connection is lost. */
export async function withDeadDisk<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const { stat } = promises;
  const refuse = (file: string): Promise<unknown> =>
    file === folder || file.startsWith(`${folder}/`)
      ? Promise.reject(Object.assign(new Error('ENOTCONN'), { code: 'ENOTCONN' }))
      : stat(file);
  Object.assign(promises, { stat: refuse });
  try {
    return await work();
  } finally {
    Object.assign(promises, { stat });
  }
}
