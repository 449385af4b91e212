import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode } from '../../platform/files/files';

/**
 * Ids of the drafts that were sent from any window of this machine. Two windows on one folder restore the same drafts, and
 * neither learns from VS Code what the other has removed since.
 */
export class SentDrafts {
  private readonly file: string;

  /** @param folder that all windows share */
  constructor(
    private readonly folder: string,
    private readonly log: { warn(message: string): void },
  ) {
    this.file = path.join(folder, 'sentDrafts');
  }

  /** Returns the ids of all drafts that were sent; none if the file cannot be read. */
  async read(): Promise<ReadonlySet<string>> {
    try {
      return new Set((await fs.readFile(this.file, 'utf8')).split('\n'));
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) this.log.warn(`Drafts may be sent twice: ${String(error)}`);
      return new Set();
    }
  }

  /** Records that drafts were sent. A failure is only logged: they were sent all the same. */
  async add(drafts: readonly string[]): Promise<void> {
    try {
      await fs.mkdir(this.folder, { recursive: true });
      // One write: windows that append at the same time keep each other's lines.
      await fs.appendFile(this.file, drafts.map((draft) => `${draft}\n`).join(''));
    } catch (error) {
      this.log.warn(`Drafts may be sent twice: ${String(error)}`);
    }
  }
}
