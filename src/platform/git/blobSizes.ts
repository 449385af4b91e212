import type { Git } from './git';

/** Most sizes to remember: about 50 MB. */
const MOST = 500_000;

/**
 * Sizes of the contents that git has, by the names of their objects (one character for each byte). The size of a name
 * never changes, so what is remembered holds for every repository and whatever happens to it.
 */
export class BlobSizes {
  private readonly known = new Map<string, number>();

  /** Returns the size of an object; undefined: not known yet. */
  get(id: string): number | undefined {
    return this.known.get(id);
  }

  /** Asks git for the sizes of these objects, and remembers those of the ones that it has. */
  async learn(ids: ReadonlySet<string>, git: Git, signal: AbortSignal): Promise<void> {
    if (ids.size === 0) return;
    if (this.known.size + ids.size > MOST) this.known.clear();
    const ask = ['cat-file', '--batch-check=%(objectsize)', '--buffer'];
    const input = [...ids].map((id) => `${Buffer.from(id, 'latin1').toString('hex')}\n`).join('');
    const answers = (await git(ask, signal, input)).split('\n');
    let at = 0;
    for (const id of ids) {
      const answer = answers[at++] ?? '';
      // Otherwise it is missing: it may come later.
      if (/^\d+$/.test(answer)) this.known.set(id, Number(answer));
    }
  }
}
