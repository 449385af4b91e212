import fs, { promises } from 'node:fs';

/** Runs `work` while the disk of a folder does not answer: as a network drive whose connection is lost. */
export async function withDeadDisk<T>(folder: string, work: () => T | Promise<T>): Promise<T> {
  const { realpathSync } = fs;
  const { stat } = promises;
  const lost = (file: string): Error | null =>
    file === folder || file.startsWith(`${folder}/`)
      ? Object.assign(new Error('ENOTCONN'), { code: 'ENOTCONN' })
      : null;
  const resolve = (file: string): string => {
    const error = lost(file);
    if (error !== null) throw error;
    return realpathSync(file);
  };
  const look = async (file: string): Promise<unknown> => {
    const error = lost(file);
    if (error !== null) throw error;
    return stat(file);
  };
  Object.assign(promises, { stat: look });
  Object.assign(fs, { realpathSync: Object.assign(resolve, { native: realpathSync.native }) });
  try {
    return await work();
  } finally {
    Object.assign(promises, { stat });
    Object.assign(fs, { realpathSync });
  }
}
