import { realFolder } from './paths';

/** Where folders lead, each looked up once. */
export class RealFolders {
  private readonly known = new Map<string, string>();

  find(folder: string): string {
    const known = this.known.get(folder);
    if (known !== undefined) return known;
    const real = realFolder(folder);
    this.known.set(folder, real);
    return real;
  }

  /** Whether all of them still lead where they led. */
  stillHold(): boolean {
    for (const [folder, real] of this.known) if (realFolder(folder) !== real) return false;
    return true;
  }
}

/** A look takes at most this share of the time: with very many folders it is repeated less often. */
const LARGEST_SHARE = 1 / 20;

/** Keeps what is known of folders up to date: links may be changed at any time. */
export class FolderLinks {
  private folders = new RealFolders();
  private restsUntil = 0;

  /** The very same object as long as each folder leads where it led. */
  look(): RealFolders {
    const startedAt = performance.now();
    if (startedAt < this.restsUntil) return this.folders;
    if (!this.folders.stillHold()) this.folders = new RealFolders();
    const endedAt = performance.now();
    this.restsUntil = endedAt + (endedAt - startedAt) / LARGEST_SHARE;
    return this.folders;
  }
}
