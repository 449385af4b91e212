import {
  isValidLine,
  linesIn,
  wholeLength,
  type FoundLine,
} from '../../../src/queue/file/journal/journalLine';
import { Violation } from '../play/violation';
import type { Entry } from '../../../src/queue/file/fileState';
import type { Disk } from '../machine/disk';
import { STATE } from '../program/host';

/** The journal of a history that is never replaced by a new generation. */
export const JOURNAL = `${STATE}/journal`;

/** Reads the journal on the virtual disk as it grows. */
export class JournalReader {
  private offset = 0;
  private count = 0;

  constructor(private readonly disk: Disk) {}

  /** Returns the entries since the last call. */
  read(): Entry[] {
    const bytes = this.disk.read(JOURNAL);
    if (bytes === null || bytes.length <= this.offset) return [];
    const fresh = bytes.subarray(this.offset);
    const whole = fresh.subarray(0, wholeLength(fresh));
    const entries: Entry[] = [];
    for (const found of linesIn<Entry>(whole, this.offset)) {
      if (!this.isValid(found)) continue;
      this.count += 1;
      if (found.line.entry !== undefined) entries.push(found.line.entry);
    }
    this.offset += whole.length;
    return entries;
  }

  private isValid(found: FoundLine<Entry>): boolean {
    try {
      return isValidLine(JOURNAL, found, this.count);
    } catch (error) {
      throw new Violation('journal readable', String(error));
    }
  }
}
