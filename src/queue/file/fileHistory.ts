import { applyEntry, applyRest, emptyFileState, type Entry, type FileState } from './fileState';
import { Journal } from './journal';

/** The state of a queue file as its journal tells it, kept up as others append. */
export class FileHistory {
  private current: FileState = emptyFileState();
  private readonly journal: Journal<Entry>;

  constructor(journalFile: string) {
    this.journal = new Journal(journalFile);
  }

  get state(): FileState {
    return this.current;
  }

  /** Reads what others have appended; whether there was anything. */
  async catchUp(): Promise<boolean> {
    const { restarted, entries } = await this.journal.read();
    if (restarted) this.current = emptyFileState();
    for (const entry of entries) applyEntry(this.current, entry);
    return restarted || entries.length > 0;
  }

  /** Puts an entry, whose events have happened to the state already, on the disk; false when another was faster. */
  async keep(entry: Entry): Promise<boolean> {
    let kept = false;
    try {
      kept = await this.journal.append(entry);
    } finally {
      if (!kept) this.forget();
    }
    if (kept) applyRest(this.current, entry);
    return kept;
  }

  /** Takes back what happened to the state and did not reach the disk: the next `catchUp` begins from the start. */
  forget(): void {
    this.journal.rewind();
    this.current = emptyFileState();
  }
}
