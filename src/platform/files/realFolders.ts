import { realFolder } from './paths';

/** Cache of the real paths of folders, each looked up once. */
export class RealFolders {
  private readonly known = new Map<string, string>();

  find(folder: string): string {
    const known = this.known.get(folder);
    if (known !== undefined) return known;
    const real = realFolder(folder);
    this.known.set(folder, real);
    return real;
  }

  /** Whether all real paths are unchanged. */
  stillHold(): boolean {
    for (const [folder, real] of this.known) if (realFolder(folder) !== real) return false;
    return true;
  }
}

/** Maximum share of the time for checks: with very many folders they are less frequent. */
const LARGEST_SHARE = 1 / 20;

/** Keeps the real paths of folders up to date: links may change at any time. */
export class FolderLinks {
  private folders = new RealFolders();
  private restsUntil = 0;

  /** Returns the same object as long as all real paths are unchanged. */
  look(): RealFolders {
    const startedAt = performance.now();
    if (startedAt < this.restsUntil) return this.folders;
    if (!this.folders.stillHold()) this.folders = new RealFolders();
    const endedAt = performance.now();
    this.restsUntil = endedAt + (endedAt - startedAt) / LARGEST_SHARE;
    return this.folders;
  }
}
