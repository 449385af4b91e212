import { isProblem, Problem } from '../../../domain/problem';
import { hasCode } from '../../../platform/files/files';
import type { Clock } from '../../../platform/clock';
import type { EpochMs } from '../../../domain/time/epoch';
import { readCsv, type CsvFile } from '../../csv/csvFile';
import { TooManyRecords } from '../../csv/records';
import type { LastCheckpoint } from '../fileState';
import {
  isSameStamp,
  isReliable,
  msOf,
  readStamped,
  stampFrom,
  stampOf,
  type FileStamp,
  type StampTexts,
} from '../../../platform/files/fileStamp';
import { digestLater } from '../journal/digest';

/** A file younger than this may still be in the middle of a save. */
const YOUNG_MS = 2_000;

/** Between two looks at a young file; longer where it became shorter, as it is while an editor saves in place. */
const LOOK_AGAIN_MS = 50;
const LOOK_AGAIN_SHORTER_MS = 200;

/** How long to wait for a file that keeps changing. */
const MOST_LOOKS = 40;

/** Above this, one command would need gigabytes: 1,000,000 rows took 3 GB. */
const MOST_ROWS = 250_000;

/** The queue's CSV as the disk has it, read again only where it changed. */
export class QueueFile {
  private last: CsvFile | null = null;
  /** The file with this stamp is `last`; null where only its bytes can tell. */
  private stamp: FileStamp | null = null;
  /** Of the last look; it may be that of a later version too. */
  private lookedAt: FileStamp | null = null;
  private savedAtMs: EpochMs = 0;
  /** Digest of the file of which `last` is known to tell all but shared cells; null where nobody asked. */
  private standsFor: string | null = null;
  /** What this process has put there since. */
  private written: Written | null = null;

  constructor(
    readonly file: string,
    private readonly clock: Clock,
  ) {}

  /** When the file that was last read from the disk had been saved. */
  get savedAt(): EpochMs {
    return this.savedAtMs;
  }

  /** How large it was when it was last read. */
  get size(): number {
    return this.last?.bytes.length ?? 0;
  }

  /** The file, if its stamp alone says that it is the one that was read; else null. @throws as `read` */
  findUnchanged(): CsvFile | null {
    if (this.written !== null && this.hasStamp(this.written.stamp)) this.take(this.written);
    const { stamp, last } = this;
    if (stamp === null || last === null) return null;
    return this.hasStamp(stamp) ? last : null;
  }

  /**
   * The file that was read last, if what is there now is what folds have made of it: nothing differs but shared cells, and
   * the journal has them. Else null. @throws as `read`
   */
  async findCheckpointed({ base, result, stamp }: LastCheckpoint): Promise<CsvFile | null> {
    const { last } = this;
    const folded = stampFrom(stamp);
    const isRead = this.stamp !== null && isSameStamp(this.stamp, folded);
    if (last === null || isRead || !this.hasStamp(folded)) return null;
    this.standsFor ??= await digestLater(last.bytes);
    if (this.standsFor !== base && this.standsFor !== result) return null;
    this.standsFor = result;
    return last;
  }

  /** Whether the file that was put there with this stamp need not be read from the disk. */
  isAtHand(stamp: StampTexts): boolean {
    const own = this.written?.stamp ?? this.stamp;
    return own !== null && isSameStamp(own, stampFrom(stamp));
  }

  /** Whether nothing speaks for another file than the one that was read: good enough to plan by. @throws as `read` */
  seemsUnchanged(): boolean {
    return this.lookedAt !== null && this.hasStamp(this.lookedAt);
  }

  /**
   * The file, once two looks agree: editors save in place, so that a reader may see it empty or short for a moment.
   * One that ends with the very row with which it ended before is not cut off. A file that keeps changing is taken as
   * it was when they last agreed.
   * @param written asked where the bytes are new; a file with this digest was put there whole by this program
   * @throws Problem `queue-missing`, `queue-unreadable`
   */
  async read(written: () => Promise<string | null>): Promise<CsvFile> {
    const known = this.findUnchanged();
    if (known !== null) return known;
    let look = await this.look();
    if (this.last?.bytes.equals(look.bytes) === true) return this.take(look);
    this.savedAtMs = look.savedAt;
    if (this.endsAsBefore(look.bytes)) return this.take(look);
    if ((await digestLater(look.bytes)) === (await written())) return this.take(look);
    for (let looks = 0; this.isYoung(); looks += 1) {
      if (looks === MOST_LOOKS) return this.last ?? this.take(look);
      const shorter = this.last !== null && look.bytes.length < this.last.bytes.length;
      await this.clock.sleep(shorter ? LOOK_AGAIN_SHORTER_MS : LOOK_AGAIN_MS);
      const before = look.bytes;
      look = await this.look();
      this.savedAtMs = look.savedAt;
      if (look.bytes.equals(before)) break;
    }
    return this.take(look);
  }

  /**
   * Takes what was just put in the file's place for what is there, unless somebody changes it. With a stamp it is not
   * looked at before it is asked for: anyone who put it there holds the lock.
   */
  believe(bytes: Buffer, stamp: FileStamp | null): void {
    if (stamp === null) this.take({ bytes, stamp });
    else this.written = { bytes, stamp };
  }

  /** @throws Problem `queue-unreadable` where it has more rows than fit into memory */
  private parse(bytes: Buffer): CsvFile {
    try {
      return readCsv(bytes, this.last ?? undefined, MOST_ROWS);
    } catch (error) {
      if (!(error instanceof TooManyRecords)) throw error;
      throw new Problem(
        'queue-unreadable',
        `${this.file} has more than ${String(MOST_ROWS)} rows, which is the limit. Move finished rows into another file.`,
      );
    }
  }

  private take({ bytes, stamp }: Pick<Look, 'bytes' | 'stamp'>): CsvFile {
    this.last = this.parse(bytes);
    this.stamp = stamp;
    if (stamp !== null && stamp === this.written?.stamp) {
      this.lookedAt = stamp;
      this.savedAtMs = msOf(stamp.mtimeNs);
    }
    this.written = null;
    this.standsFor = null;
    return this.last;
  }

  /** A writer that has not come to its end has not written the last row yet, which has an id of its own. */
  private endsAsBefore(bytes: Buffer): boolean {
    const { last } = this;
    const row = last?.records.at(-1);
    if (last?.whole !== true || row === undefined) return false;
    const end = last.bytes.subarray(row.start);
    return bytes.length > end.length && bytes.subarray(bytes.length - end.length).equals(end);
  }

  private hasStamp(stamp: FileStamp): boolean {
    try {
      return isSameStamp(stampOf(this.file), stamp);
    } catch (error) {
      throw toProblem(this.file, error);
    }
  }

  private isYoung(): boolean {
    return Math.abs(this.clock.now() - this.savedAtMs) < YOUNG_MS;
  }

  private async look(): Promise<Look> {
    const now = this.clock.now();
    try {
      const { bytes, stamp } = await readStamped(this.file);
      this.lookedAt = stamp;
      return { bytes, stamp: isReliable(stamp, now) ? stamp : null, savedAt: msOf(stamp.mtimeNs) };
    } catch (error) {
      throw toProblem(this.file, error);
    }
  }
}

/** What was put in the file's place. */
interface Written {
  readonly bytes: Buffer;
  readonly stamp: FileStamp;
}

/** The file at one moment. */
interface Look {
  readonly bytes: Buffer;
  /** Null where a file with the same stamp may be another one. */
  readonly stamp: FileStamp | null;
  readonly savedAt: EpochMs;
}

/** What went wrong, in the user's words. */
function toProblem(file: string, error: unknown): unknown {
  if (hasCode(error, 'ENOENT', 'ENOTDIR')) {
    const advice = 'Create one with "claude-queue init", or name another with --queue FILE.';
    return new Problem('queue-missing', `There is no queue file ${file}. ${advice}`, { cause: error });
  }
  if (isProblem(error, 'not-a-file')) return new Problem('queue-unreadable', error.message, { cause: error });
  if (hasCode(error, 'EACCES', 'EPERM')) {
    return new Problem('queue-unreadable', `${file} cannot be read: ${String(error)}`, { cause: error });
  }
  return error;
}
