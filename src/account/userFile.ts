import * as path from 'node:path';
import { Problem } from '../domain/problem';
import { makePrivateFolder, readIfThere, replaceDurably } from '../platform/files';
import { withLock } from '../platform/lock';

/** Format of the files in the user's state folder. */
const VERSION = 1;

interface Stored<T> {
  readonly version: number;
  readonly value: T;
}

/** How a value looks that was read: as this program writes it, or one of a later format, or neither. */
export type Standing = 'right' | 'newer' | 'damaged';

/** A small JSON file of this user's, shared by all processes: whole values, changed one at a time. */
export class UserFile<T> {
  constructor(
    readonly file: string,
    private readonly empty: T,
    private readonly judge: (value: unknown) => Standing,
  ) {}

  /** @throws Problem `state-newer`, `state-damaged` */
  async read(): Promise<T> {
    const bytes = await readIfThere(this.file);
    return bytes === null ? this.empty : this.parse(bytes.toString());
  }

  /** Replaces the value by what `change` makes of it; nothing is written when that is the same value. */
  async update(change: (value: T) => T): Promise<T> {
    await makePrivateFolder(path.dirname(this.file));
    return withLock(`${this.file}.lock`, async () => {
      const before = await this.read();
      const after = change(before);
      if (after !== before) {
        const stored: Stored<T> = { version: VERSION, value: after };
        await replaceDurably(this.file, `${JSON.stringify(stored, null, 2)}\n`);
      }
      return after;
    });
  }

  private parse(text: string): T {
    let stored: unknown;
    try {
      stored = JSON.parse(text);
    } catch (error) {
      throw this.damaged(error);
    }
    if (!isStored<T>(stored)) throw this.damaged();
    const standing = stored.version > VERSION ? 'newer' : this.judge(stored.value);
    if (standing === 'damaged') throw this.damaged();
    if (standing === 'newer') {
      throw new Problem(
        'state-newer',
        `${this.file} was written by a newer version of this program. Update this one.`,
      );
    }
    return stored.value;
  }

  private damaged(cause?: unknown): Problem {
    return new Problem(
      'state-damaged',
      `${this.file} is not what this program writes. Remove it to begin anew.`,
      {
        cause,
      },
    );
  }
}

function isStored<T>(stored: unknown): stored is Stored<T> {
  return (
    typeof stored === 'object' &&
    stored !== null &&
    'version' in stored &&
    typeof stored.version === 'number' &&
    'value' in stored
  );
}
