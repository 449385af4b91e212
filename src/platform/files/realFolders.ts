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

  /** Returns itself if all real paths are unchanged, else an empty cache. */
  renew(): RealFolders {
    return this.stillHold() ? this : new RealFolders();
  }
}
