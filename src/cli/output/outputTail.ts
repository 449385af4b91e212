import type * as fs from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { parseLine } from '../../claude/stream/parseLine';
import { renderMessage } from '../../claude/stream/render';
import { hasCode, openRegular } from '../../platform/files/files';

/** Reads a growing output file, as lines for a terminal. */
export class OutputTail {
  private position = 0;
  private rest = '';
  private readonly decoder = new StringDecoder('utf8');

  private token: string | undefined;

  /** `findToken` returns the token of the report lines, which are not shown. */
  constructor(
    private readonly file: string,
    private readonly findToken: () => Promise<string | undefined>,
  ) {}

  async read(): Promise<string[]> {
    const lines = (this.rest + this.decoder.write(await this.readBytes())).split('\n');
    this.rest = lines.pop() ?? '';
    if (lines.length > 0) this.token ??= await this.findToken();
    return lines.flatMap((line) => renderMessage(parseLine(line), this.token));
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
      const bytes = Buffer.alloc(Math.max(size - this.position, 0));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, this.position);
      this.position += bytesRead;
      return bytes.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }
}
