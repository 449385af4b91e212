import { open, type FileHandle } from 'node:fs/promises';

type Append = FileHandle['appendFile'];

/** What `work` comes to while nothing more can be appended to any file that it opened. */
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
