import type { Host } from '../../app/context/host';
import { openKeptTreesOf } from '../../app/context/openKeptTrees';
import type { KeptVersion } from './versionUri';

/** Most programs of git at once. */
const MOST_AT_ONCE = 4;

/** Most bytes to remember: the editor asks for each version several times. */
const MOST_BYTES = 64 * 1024 * 1024;

const TIMEOUT_MS = 30_000;

/** Reads kept versions. */
export class VersionReader {
  private readonly found = new Map<string, Promise<Buffer>>();
  /** Sizes of the versions that were read, in this order. */
  private readonly sizes = new Map<string, number>();
  private bytes = 0;
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly env: () => Host['env']) {}

  /** Returns the content of a version, as it was in the directory. @throws GitFailure if it is not kept any more */
  read(version: KeptVersion): Promise<Buffer> {
    const { queue, format, kind, object } = version;
    // Its commit is in another repository. Git shows it like this too.
    if (kind === 'submodule') return Promise.resolve(Buffer.from(`Subproject commit ${object}\n`));
    const key = [queue, format, object].join(' ');
    const known = this.found.get(key);
    if (known !== undefined) return known;
    const reading = this.readInTurn(version);
    this.found.set(key, reading);
    reading.then(
      ({ length }) => {
        this.remember(key, length);
      },
      // It may come back, or git may.
      () => this.found.delete(key),
    );
    return reading;
  }

  private async readInTurn(version: KeptVersion): Promise<Buffer> {
    if (this.running < MOST_AT_ONCE) this.running += 1;
    else
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
      });
    try {
      const { queue, format } = version;
      const trees = openKeptTreesOf(queue, this.env());
      return await trees.read(format, version, AbortSignal.timeout(TIMEOUT_MS));
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }

  /** Forgets the versions that were read first, where they are too many. */
  private remember(key: string, size: number): void {
    this.sizes.set(key, size);
    this.bytes += size;
    for (const [first, bytes] of this.sizes) {
      if (this.bytes <= MOST_BYTES) return;
      this.sizes.delete(first);
      this.found.delete(first);
      this.bytes -= bytes;
    }
  }
}
