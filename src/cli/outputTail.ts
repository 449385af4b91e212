import * as fs from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { parseLine } from '../claude/parseLine';
import { renderMessage } from '../claude/render';
import { hasCode } from '../platform/files';

/** Reads a growing output file, as lines for a terminal. */
export class OutputTail {
  private position = 0;
  private rest = '';
  private readonly decoder = new StringDecoder('utf8');

  constructor(private readonly file: string) {}

  async read(): Promise<string[]> {
    const lines = (this.rest + this.decoder.write(await this.readBytes())).split('\n');
    this.rest = lines.pop() ?? '';
    return lines.flatMap((line) => renderMessage(parseLine(line)));
  }

  private async readBytes(): Promise<Buffer> {
    let handle: fs.FileHandle;
    try {
      handle = await fs.open(this.file, 'r');
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return Buffer.alloc(0);
      throw error;
    }
    try {
      const { size } = await handle.stat();
      const bytes = Buffer.alloc(Math.max(size - this.position, 0));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, this.position);
      this.position += bytesRead;
      return bytes.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }
}
