import type { FileHandle } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { hasCode, openRegular } from '../../platform/files/files';
import { asText, parseObject } from './json';
import type { StreamMessage } from './message';
import { parseLine } from './parseLine';

/** Bytes at the start of an output that are searched for its session: Claude Code names it in its first lines. */
const HEAD_BYTES = 256 * 1024;

/** Output of an attempt. */
export interface TailOptions {
  /**
   * Session of the attempt, if known. A file of another session is not its output: an earlier queue with the same ids
   * left it.
   */
  readonly session: string | null;
  /** At the first read, all lines that start before the last N bytes are skipped. */
  readonly mostBytes?: number;
}

/** Reads the messages of a growing output file. */
export class OutputTail {
  private position: number | null = null;
  private rest = '';
  /** Bytes before the part that the first read is about. */
  private skipped = 0;
  /** Whether the rest is the end of a line that starts before that part. */
  private isInLine = false;
  private readonly decoder = new StringDecoder('utf8');

  constructor(
    private readonly file: string,
    private readonly options: TailOptions,
  ) {}

  /** Whether a read has found the attempt's output. */
  get isFound(): boolean {
    return this.position !== null;
  }

  /** Number of bytes that the first read skipped. */
  get skippedBytes(): number {
    return this.skipped;
  }

  /** Returns the messages since the last read; none if there is no output yet. */
  async read(): Promise<StreamMessage[]> {
    const bytes = await this.readBytes();
    const lines = (this.rest + this.decoder.write(bytes)).split('\n');
    if (this.isInLine && lines.length > 1) {
      lines.shift();
      this.isInLine = false;
    }
    this.rest = lines.pop() ?? '';
    return lines.map(parseLine);
  }

  private async readBytes(): Promise<Buffer> {
    let handle: FileHandle;
    try {
      handle = await openRegular(this.file);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return Buffer.alloc(0);
      throw error;
    }
    try {
      if (this.position === null && (await this.isOfOther(handle))) return Buffer.alloc(0);
      const { size } = await handle.stat();
      const from = this.position ?? this.skip(size);
      const bytes = Buffer.alloc(Math.max(size - from, 0));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
      this.position = from + bytesRead;
      return bytes.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  /** Returns the byte to start at: one before the part, since a line feed there shows that its first line is whole. */
  private skip(size: number): number {
    this.skipped = Math.max(size - (this.options.mostBytes ?? Infinity), 0);
    this.isInLine = this.skipped > 0;
    return Math.max(this.skipped - 1, 0);
  }

  private async isOfOther(handle: FileHandle): Promise<boolean> {
    const { session } = this.options;
    if (session === null) return false;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    for (const line of buffer.toString('utf8', 0, bytesRead).split('\n')) {
      const named = asText(parseObject(line)?.['session_id']);
      if (named !== undefined) return named !== session;
    }
    return false;
  }
}
