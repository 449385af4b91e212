import { renameSync, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { Problem } from '../domain/problem';
import {
  isOfOtherUser,
  makePrivateFolder,
  PRIVATE_FILE,
  readIfThere,
  syncPath,
  writeBeside,
} from '../platform/files/files';
import { withLock } from '../platform/lock/lock';
import { t } from '../platform/text/translate';
import { formatStored, parseStored, type ValueFormat } from './storedValue';

/**
 * A small JSON file of this user, shared by all processes. Its value is replaced as a whole, by one process at a time.
 */
export class UserFile<T> {
  constructor(
    readonly file: string,
    private readonly format: ValueFormat<T>,
  ) {}

  /**
   * Returns the value; the empty one where there is no file.
   * @throws Problem `state-newer`, `state-damaged`, `state-of-other-user`
   */
  async read(): Promise<T> {
    return parseStored(await this.readText(), this.file, this.format);
  }

  /**
   * Replaces the value by the result of `change`. Nothing is written when that is the same value. `change` is called
   * again when another process has written meanwhile.
   */
  async update(change: (value: T) => T): Promise<T> {
    await makePrivateFolder(path.dirname(this.file));
    for (;;) {
      const done = await withLock(`${this.file}.lock`, () => this.tryUpdate(change));
      if (done !== null) return done.value;
    }
  }

  /** Updates once. Null: this process was frozen for so long that another one took its lock and wrote. */
  private async tryUpdate(change: (value: T) => T): Promise<{ readonly value: T } | null> {
    const text = await this.readText();
    const before = parseStored(text, this.file, this.format);
    const value = change(before);
    if (value === before) return { value };
    const isWritten = await this.replace(text, formatStored(value));
    return isWritten ? { value } : null;
  }

  /** Replaces the file by `text`, durably and in one step, if it still holds `expected`. Returns whether it did. */
  private async replace(expected: string | null, text: string): Promise<boolean> {
    const temporary = await writeBeside(this.file, text, PRIVATE_FILE);
    try {
      if ((await this.readText()) !== expected) return false;
      renameSync(temporary, this.file);
    } finally {
      await fs.rm(temporary, { force: true });
    }
    await syncPath(path.dirname(this.file));
    return true;
  }

  /** Returns the text of the file; null: there is no file. */
  private async readText(): Promise<string | null> {
    const bytes = await readIfThere(this.file);
    if (bytes === null) return null;
    // A file of another user would approve tasks in this user's name.
    if (isOfOtherUser(statSync(this.file))) throw this.ofOtherUser();
    return bytes.toString();
  }

  private ofOtherUser(): Problem {
    return new Problem(
      'state-of-other-user',
      t(
        '{0} belongs to another user. Only your own files may hold approvals and decisions. Check who wrote it, then take ownership with chown, or remove it.',
        this.file,
      ),
    );
  }
}
