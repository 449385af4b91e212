import * as fs from 'node:fs/promises';
import { Problem } from '../../domain/problem';
import { hasCode } from '../../platform/files';
import type { Clock } from '../../platform/clock';
import { digest } from './fold';
import { readCsv, type CsvFile } from './csvFile';

/** A file younger than this may still be in the middle of a save. */
const YOUNG_MS = 2_000;

/** Between two looks at a young file; longer where it became shorter, as it is while an editor saves in place. */
const LOOK_AGAIN_MS = 50;
const LOOK_AGAIN_SHORTER_MS = 200;

/** How long to wait for a file that keeps changing. */
const MOST_LOOKS = 40;

/** The queue's CSV as the disk has it, read anew only where its bytes changed. */
export class QueueFile {
  private last: CsvFile | null = null;

  constructor(
    readonly file: string,
    private readonly clock: Clock,
  ) {}

  /**
   * The file, once two looks agree: editors save in place, so that a reader may see it empty or short for a moment.
   * A file with the digest `written` was put there whole by this program and needs no second look.
   * @throws Problem `queue-missing`, `queue-unreadable`
   */
  async read(written: string | null): Promise<CsvFile> {
    let bytes = await this.readBytes();
    if (this.last?.bytes.equals(bytes) === true) return this.last;
    if (written !== null && digest(bytes) === written) return this.believe(bytes);
    for (let looks = 0; looks < MOST_LOOKS && (await this.isYoung()); looks += 1) {
      const shorter = this.last !== null && bytes.length < this.last.bytes.length;
      await this.clock.sleep(shorter ? LOOK_AGAIN_SHORTER_MS : LOOK_AGAIN_MS);
      const again = await this.readBytes();
      if (again.equals(bytes)) break;
      bytes = again;
    }
    return this.believe(bytes);
  }

  /** Takes bytes that this program wrote itself for what is there. */
  believe(bytes: Buffer): CsvFile {
    if (this.last?.bytes.equals(bytes) === true) return this.last;
    this.last = readCsv(bytes, this.last ?? undefined);
    return this.last;
  }

  /** The file as it was last read or written; null before that. */
  get believed(): CsvFile | null {
    return this.last;
  }

  private async isYoung(): Promise<boolean> {
    const { mtimeMs } = await fs.stat(this.file);
    return Math.abs(this.clock.now() - mtimeMs) < YOUNG_MS;
  }

  private async readBytes(): Promise<Buffer> {
    try {
      return await fs.readFile(this.file);
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) {
        const advice = 'Make one with "claude-queue init", or name another with --queue FILE.';
        throw new Problem('queue-missing', `There is no queue file ${this.file}. ${advice}`, { cause: error });
      }
      if (hasCode(error, 'EACCES', 'EPERM', 'EISDIR')) {
        throw new Problem('queue-unreadable', `${this.file} cannot be read: ${String(error)}`, { cause: error });
      }
      throw error;
    }
  }
}
