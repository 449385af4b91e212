import type * as fs from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { hasCode, openRegular } from '../../platform/files/files';
import type { StreamMessage } from './message';
import { parseLine } from './parseLine';

/** Reads the messages of a growing output file. */
export class OutputTail {
  private position: number | null = null;
  private rest = '';
  /** Bytes before the first line that was read. */
  private skipped = 0;
  private readonly decoder = new StringDecoder('utf8');

  /** `mostBytes`: at the first read, all lines that begin before the last N bytes are skipped. */
  constructor(
    private readonly file: string,
    private readonly mostBytes = Infinity,
  ) {}

  /** Number of bytes that the first read skipped. */
  get skippedBytes(): number {
    return this.skipped;
  }

  /** Returns the messages since the last read; none if there is no file yet. */
  async read(): Promise<StreamMessage[]> {
    const isFirst = this.position === null;
    const lines = (this.rest + this.decoder.write(await this.readBytes())).split('\n');
    // The end of a line that began before.
    if (isFirst && this.skipped > 0 && lines.length > 1) lines.shift();
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
      if (this.position === null) this.skipped = from;
      const bytes = Buffer.alloc(Math.max(size - from, 0));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
      this.position = from + bytesRead;
      return bytes.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }
}
