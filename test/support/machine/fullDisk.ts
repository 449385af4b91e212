import { open, type FileHandle } from 'node:fs/promises';

/** Ways to write to an open file. */
type Writing = 'appendFile' | 'write';

/** Returns the result of `work`, during which no bytes can be appended to any open file, or in another way `writing`. */
export async function onFullDisk<T>(work: () => Promise<T>, writing: Writing = 'appendFile'): Promise<T> {
  const handle = await open('/dev/null');
  await handle.close();
  const methods = Object.getPrototypeOf(handle) as Pick<FileHandle, Writing>;
  const { [writing]: real } = methods;
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const fail = (): Promise<never> => Promise.reject(full);
  Object.assign(methods, { [writing]: fail });
  try {
    return await work();
  } finally {
    Object.assign(methods, { [writing]: real });
  }
}
