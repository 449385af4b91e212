import { open, type FileHandle } from 'node:fs/promises';

type Append = FileHandle['appendFile'];

/** Returns the result of `work`, during which no bytes can be appended to any open file. */
export async function onFullDisk<T>(work: () => Promise<T>): Promise<T> {
  const handle = await open('/dev/null');
  await handle.close();
  const methods = Object.getPrototypeOf(handle) as { appendFile: Append };
  const real = methods.appendFile;
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  methods.appendFile = () => Promise.reject(full);
  try {
    return await work();
  } finally {
    methods.appendFile = real;
  }
}
