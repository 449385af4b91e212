import { createReadStream } from 'node:fs';
import { hasCode } from '../platform/files';

/** What stands in a file from byte `start` on, in pieces; nothing where the file is not there. */
export async function* readPieces(file: string, start: number): AsyncGenerator<Buffer> {
  try {
    for await (const piece of createReadStream(file, { start })) yield piece as Buffer;
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error;
  }
}
