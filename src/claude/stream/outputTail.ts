import type * as fs from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { hasCode, openRegular } from '../../platform/files/files';
import type { StreamMessage } from './message';
import { parseLine } from './parseLine';

/** Reads the messages of a growing output file. */
export class OutputTail {
  private position: number | null = null;
  private rest = '';
  private readonly decoder = new StringDecoder('utf8');

  /** `mostBytes`: at the first read, everything before the last N bytes is skipped. */
  constructor(
    private readonly file: string,
    private readonly mostBytes = Infinity,
  ) {}

  /** Returns the messages since the last read; none if there is no file yet. */
  async read(): Promise<StreamMessage[]> {
    const lines = (this.rest + this.decoder.write(await this.readBytes())).split('\n');
    this.rest = lines.pop() ?? '';
    return lines.map(parseLine);
  }

  private async readBytes(): Promise<Buffer> {
    let handle: fs.FileHandle;
    try {
      handle = await openRegular(this.file);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return Buffer.alloc(0);
      throw error;
    }
    try {
      const { size } = await handle.stat();
      const from = this.position ?? Math.max(size - this.mostBytes, 0);
      const bytes = Buffer.alloc(Math.max(size - from, 0));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
      this.position = from + bytesRead;
      return bytes.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }
}
