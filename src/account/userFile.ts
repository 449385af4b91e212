import { renameSync, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { Problem } from '../domain/problem';
import {
  isOfOtherUser,
  makePrivateFolder,
  PRIVATE_FILE,
  readIfThere,
  syncFolder,
  writeBeside,
} from '../platform/files/files';
import { withLock } from '../platform/lock/lock';
import { type Check, isNumber, isObject } from '../platform/text/shapes';

/** Format of the files in the user's state folder. */
const VERSION = 1;

interface Stored<T> {
  readonly version: number;
  readonly value: T;
}

/**
 * A small JSON file of this user, shared by all processes. Its value is replaced as a whole, by one process at a time.
 */
export class UserFile<T> {
  constructor(
    readonly file: string,
    private readonly empty: T,
    private readonly isRight: Check<T>,
    /** Whether a valid value holds something that only a later version writes. */
    private readonly isOfLaterProgram: (value: T) => boolean = () => false,
  ) {}

  /**
   * Returns the value; the empty one where there is no file.
   * @throws Problem `state-newer`, `state-damaged`, `state-of-other-user`
   */
  async read(): Promise<T> {
    return this.parse(await this.readText());
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
    const before = this.parse(text);
    const value = change(before);
    if (value === before) return { value };
    const stored: Stored<T> = { version: VERSION, value };
    const isWritten = await this.replace(text, `${JSON.stringify(stored, null, 2)}\n`);
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
    await syncFolder(path.dirname(this.file));
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

  private parse(text: string | null): T {
    if (text === null) return this.empty;
    let stored: unknown;
    try {
      stored = JSON.parse(text);
    } catch (error) {
      throw this.damaged(error);
    }
    if (!isStored(stored)) throw this.damaged();
    const { version, value } = stored;
    if (version > VERSION) throw this.newer();
    if (!this.isRight(value)) throw this.damaged();
    if (this.isOfLaterProgram(value)) throw this.newer();
    return value;
  }

  private newer(): Problem {
    return new Problem(
      'state-newer',
      `${this.file} was written by a newer version of this program. Update this one.`,
    );
  }

  private ofOtherUser(): Problem {
    return new Problem(
      'state-of-other-user',
      `${this.file} belongs to another user. Only your own files may hold approvals and decisions. Check who wrote it, then take ownership with chown, or remove it.`,
    );
  }

  private damaged(cause?: unknown): Problem {
    return new Problem(
      'state-damaged',
      `${this.file} was not written by this program. Remove it to start over.`,
      {
        cause,
      },
    );
  }
}

function isStored(stored: unknown): stored is Stored<unknown> {
  return isObject(stored) && isNumber(stored['version']) && 'value' in stored;
}
