import { realpathSync, statSync } from 'node:fs';
import * as path from 'node:path';
import type { PageFile } from './page/html';

/** Maximum names that are looked up: each costs a call of the system. */
const MOST_NAMES = 2_000;

/** A name of a file as Claude writes it, with a line behind a colon or as on GitHub. */
const NAMED =
  /^([^\s:#"'`<>|*?][^:#"'`<>|*?\n]{0,400}?)(?::(\d{1,7})(?::\d{1,7})?|#L(\d{1,7})(?:-L?\d{1,7})?)?$/;

/** Files of the folder in which an attempt ran. Names that lead out of it name none, also through links. */
export class WorkingFiles {
  private readonly known = new Map<string, PageFile | null>();
  private readonly root: string | null;

  /** `folder`: absolute; null: none is known. */
  constructor(private readonly folder: string | null) {
    this.root = folder === null ? null : resolve(folder);
  }

  /** Returns the file that a text names; null if it names none of the folder. */
  readonly find = (text: string): PageFile | null => {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    if (this.known.size >= MOST_NAMES) return null;
    const found = this.search(text);
    this.known.set(text, found);
    return found;
  };

  /** Looks again for files that were not there: Claude may have written them. */
  forgetMissing(): void {
    for (const [text, found] of this.known) if (found === null) this.known.delete(text);
  }

  /** Returns the real path of a file of the folder; null if it is none. */
  locate(name: string): string | null {
    if (this.folder === null || this.root === null) return null;
    const file = resolve(path.resolve(this.folder, name));
    if (file?.startsWith(this.root.replace(/\/?$/, '/')) !== true) return null;
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : null;
  }

  private search(text: string): PageFile | null {
    const [, name, colon, hash] = NAMED.exec(text) ?? [];
    if (name === undefined) return null;
    const file = this.locate(name);
    if (file === null || this.root === null) return null;
    const line = Number(colon ?? hash ?? 0);
    return { path: path.relative(this.root, file), ...(line > 0 ? { line } : {}) };
  }
}

/** Returns a path without links; null if nothing is there, or if it cannot be reached. */
function resolve(file: string): string | null {
  try {
    return realpathSync.native(file);
  } catch {
    // Any obstacle means the same here: there is no file to open.
    return null;
  }
}
