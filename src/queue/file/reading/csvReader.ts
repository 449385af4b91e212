import { isProblem, Problem } from '../../../domain/problem';
import { hasCode } from '../../../platform/files/files';
import type { Clock } from '../../../platform/clock';
import type { EpochMs } from '../../../domain/time/epoch';
import { readCsv, type CsvFile } from '../../csv/csvFile';
import { TooManyRecords } from '../../csv/records';
import { MOST_ROWS } from '../../rowTable';
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
import { t } from '../../../platform/text/translate';
import { digestLater } from '../journal/digest';

/** Age below which a file may still be in the middle of a save, in ms. */
const YOUNG_MS = 2_000;

/**
 * Interval between looks at a young file, in ms. Longer if the file became shorter, as it does while an editor saves
 * in place.
 */
const LOOK_AGAIN_MS = 50;
const LOOK_AGAIN_SHORTER_MS = 200;

/** Most looks at a file that keeps changing. After them the last settled version is used. */
const MOST_LOOKS = 40;

/** The queue's CSV file. Reads it again only if it changed. */
export class CsvReader {
  private last: CsvFile | null = null;
  /** Stamp of `last`; null if only the bytes identify it. */
  private stamp: FileStamp | null = null;
  /** Stamp at the last look. A later version may have the same stamp. */
  private lookedAt: FileStamp | null = null;
  private savedAtMs: EpochMs = 0;
  /** Digest of the newest version that differs from `last` only in shared cells; null until it is needed. */
  private standsFor: string | null = null;
  /** Version that this process has written and not parsed yet. */
  private written: Written | null = null;

  constructor(
    readonly file: string,
    private readonly clock: Clock,
  ) {}

  /** Time at which the last version read from disk was saved. */
  get savedAt(): EpochMs {
    return this.savedAtMs;
  }

  /** Stamp at the last look: another object after each save, also one with the same bytes. */
  get lastLook(): object | null {
    return this.lookedAt;
  }

  /** Size of the last version that was read, in bytes. */
  get size(): number {
    return this.last?.bytes.length ?? 0;
  }

  /**
   * Returns the file that was read last if its stamp alone shows that it did not change; else null. @throws as `read`
   */
  findUnchanged(): CsvFile | null {
    if (this.written !== null && this.hasStamp(this.written.stamp)) this.take(this.written);
    const { stamp, last } = this;
    if (stamp === null || last === null) return null;
    return this.hasStamp(stamp) ? last : null;
  }

  /**
   * Returns the file that was read last if only checkpoints have changed it since; else null. They change only shared
   * cells, and the journal has these. @throws as `read`
   */
  async findReadBefore({ base, result, stamp }: LastCheckpoint): Promise<CsvFile | null> {
    const { last } = this;
    const checkpointed = stampFrom(stamp);
    const isRead = this.stamp !== null && isSameStamp(this.stamp, checkpointed);
    if (last === null || isRead || !this.hasStamp(checkpointed)) return null;
    this.standsFor ??= await digestLater(last.bytes);
    if (this.standsFor !== base && this.standsFor !== result) return null;
    this.standsFor = result;
    return last;
  }

  /** Whether the version with this stamp is known without reading the disk. */
  isAtHand(stamp: StampTexts): boolean {
    const own = this.written?.stamp ?? this.stamp;
    return own !== null && isSameStamp(own, stampFrom(stamp));
  }

  /**
   * Whether the file seems to be the one that was read. A hint only: a change may leave the stamp as it is. @throws
   * as `read`
   */
  seemsUnchanged(): boolean {
    return this.lookedAt !== null && this.hasStamp(this.lookedAt);
  }

  /**
   * Returns the file once two looks agree: editors save in place, so a reader may see it empty or short for a moment.
   * A file that ends with the same row as before is not cut off. If a file keeps changing, returns the version on
   * which two looks last agreed.
   * @param written returns the digest of a file that this program wrote whole; called only if the bytes are new
   * @throws Problem `queue-missing`, `queue-unreadable`
   */
  async read(written: () => Promise<string | null>): Promise<CsvFile> {
    const known = this.findUnchanged();
    if (known !== null) return known;
    let look = await this.look();
    this.savedAtMs = look.savedAt;
    if (this.last?.bytes.equals(look.bytes) === true) return this.take(look);
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
   * Takes `bytes` as the content that this process has just written. With a stamp they are parsed on the next read,
   * because the writer holds the lock.
   */
  noteWritten(bytes: Buffer, stamp: FileStamp | null): void {
    if (stamp === null) this.take({ bytes, stamp });
    else this.written = { bytes, stamp };
  }

  /** @throws Problem `queue-unreadable` if the file has more than `MOST_ROWS` rows */
  private parse(bytes: Buffer): CsvFile {
    try {
      return readCsv(bytes, this.last ?? undefined, MOST_ROWS);
    } catch (error) {
      if (!(error instanceof TooManyRecords)) throw error;
      throw new Problem(
        'queue-unreadable',
        t(
          '{0} has more than {1} rows, which is the limit. Move finished rows into another file.',
          this.file,
          MOST_ROWS,
        ),
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

  /** Whether the file ends with the same row as before. An unfinished save lacks the last row, whose id is unique. */
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

/** Version that this process has written. */
interface Written {
  readonly bytes: Buffer;
  readonly stamp: FileStamp;
}

/** The file at one moment. */
interface Look {
  readonly bytes: Buffer;
  /** Null if another version may have the same stamp. */
  readonly stamp: FileStamp | null;
  readonly savedAt: EpochMs;
}

/** Returns the problem to show for an error; other errors as they are. */
function toProblem(file: string, error: unknown): unknown {
  if (hasCode(error, 'ENOENT', 'ENOTDIR')) {
    const message = t(
      'There is no queue file {0}. Create one with "claude-queue init", or name another with --queue FILE.',
      file,
    );
    return new Problem('queue-missing', message, { cause: error });
  }
  if (isProblem(error, 'not-a-file')) return new Problem('queue-unreadable', error.message, { cause: error });
  if (hasCode(error, 'EACCES', 'EPERM')) {
    return new Problem('queue-unreadable', t('{0} cannot be read: {1}', file, String(error)), {
      cause: error,
    });
  }
  return error;
}
