import { createReadStream } from 'node:fs';
import { hasCode } from '../../platform/files/files';

/** Yields the contents of a file from byte `start` on, in pieces. Yields nothing if the file does not exist. */
export async function* readPieces(file: string, start: number): AsyncGenerator<Buffer> {
  try {
    for await (const piece of createReadStream(file, { start })) yield piece as Buffer;
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error;
  }
}

/** Whether a file contains these bytes. It is read only as far as needed. */
export async function contains(file: string, words: string): Promise<boolean> {
  const wanted = Buffer.from(words);
  let before = Buffer.alloc(0);
  for await (const piece of readPieces(file, 0)) {
    const joined = Buffer.concat([before, piece]);
    if (joined.includes(wanted)) return true;
    before = joined.subarray(Math.max(joined.length - wanted.length + 1, 0));
  }
  return false;
}
