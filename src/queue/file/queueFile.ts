import * as fs from 'node:fs/promises';
import { Problem } from '../../domain/problem';
import { hasCode } from '../../platform/files';
import type { Clock } from '../../platform/clock';
import type { EpochMs } from '../../domain/epoch';
import { readCsv, type CsvFile } from '../csv/csvFile';
import { digest } from './swap';

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
  private savedAtMs: EpochMs = 0;

  constructor(
    readonly file: string,
    private readonly clock: Clock,
  ) {}

  /** When the file that was last read from the disk had been saved. */
  get savedAt(): EpochMs {
    return this.savedAtMs;
  }

  /**
   * The file, once two looks agree: editors save in place, so that a reader may see it empty or short for a moment.
   * A file that keeps changing is taken as it was when they last agreed.
   * @param written asked where the bytes are new; a file with this digest was put there whole by this program
   * @throws Problem `queue-missing`, `queue-unreadable`
   */
  async read(written: () => Promise<string | null>): Promise<CsvFile> {
    let bytes = await this.readBytes();
    if (this.last?.bytes.equals(bytes) === true) return this.last;
    if (digest(bytes) === (await written())) return this.believe(bytes);
    for (let looks = 0; await this.isYoung(); looks += 1) {
      if (looks === MOST_LOOKS) return this.last ?? this.believe(bytes);
      const shorter = this.last !== null && bytes.length < this.last.bytes.length;
      await this.clock.sleep(shorter ? LOOK_AGAIN_SHORTER_MS : LOOK_AGAIN_MS);
      const again = await this.readBytes();
      if (again.equals(bytes)) break;
      bytes = again;
    }
    return this.believe(bytes);
  }

  /** Takes bytes that are known to be whole for what is there. */
  believe(bytes: Buffer): CsvFile {
    if (this.last?.bytes.equals(bytes) === true) return this.last;
    this.last = readCsv(bytes, this.last ?? undefined);
    return this.last;
  }

  private async isYoung(): Promise<boolean> {
    this.savedAtMs = (await told(this.file, () => fs.stat(this.file))).mtimeMs;
    return Math.abs(this.clock.now() - this.savedAtMs) < YOUNG_MS;
  }

  private async readBytes(): Promise<Buffer> {
    return told(this.file, () => fs.readFile(this.file));
  }
}

/** What went wrong, in a person's words. */
async function told<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) {
      const advice = 'Make one with "claude-queue init", or name another with --queue FILE.';
      throw new Problem('queue-missing', `There is no queue file ${file}. ${advice}`, { cause: error });
    }
    if (hasCode(error, 'EACCES', 'EPERM', 'EISDIR')) {
      throw new Problem('queue-unreadable', `${file} cannot be read: ${String(error)}`, { cause: error });
    }
    throw error;
  }
}
