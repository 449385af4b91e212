import type { Git } from './git';
import { parseRawDiff, type RawDifference, type RawVersion, SUBMODULE } from './rawDiff';

/** A file that an attempt changed. Null: it did not exist, or does not any more. */
export interface ChangedFile {
  readonly path: string;
  readonly before: FileVersion | null;
  readonly after: FileVersion | null;
}

/** Content of a file, or the commit of a submodule. */
export interface FileVersion {
  /** Name of the object. */
  readonly object: string;
  readonly kind: 'file' | 'link' | 'submodule';
}

/** Difference between two trees of one repository. */
export class TreeDiff {
  /** @param trees null: nothing differs */
  constructor(
    private readonly git: Git<Buffer>,
    private readonly trees: { readonly before: string; readonly after: string } | null,
  ) {}

  /** Returns the changed files, sorted by path. */
  async list(signal: AbortSignal): Promise<ChangedFile[]> {
    return (await this.read('utf8', signal)).map(({ path, before, after }) => ({
      path,
      before: toFileVersion(before),
      after: toFileVersion(after),
    }));
  }

  /** Returns the changed files with their modes. Names have one character for each byte. */
  listExact(signal: AbortSignal): Promise<readonly RawDifference[]> {
    return this.read('latin1', signal);
  }

  /**
   * Returns the difference as git prints it, as a patch or with other options of `git diff`. Letters in paths are not
   * written as codes; control characters are.
   */
  async print(options: readonly string[], signal: AbortSignal): Promise<Buffer> {
    const { trees } = this;
    if (trees === null) return Buffer.alloc(0);
    const safe = ['-c', 'core.quotePath=false', 'diff', '--no-ext-diff', '--no-textconv'];
    return this.git([...safe, ...options, trees.before, trees.after], signal);
  }

  private async read(encoding: 'utf8' | 'latin1', signal: AbortSignal): Promise<readonly RawDifference[]> {
    const { trees } = this;
    if (trees === null) return [];
    const look = [...LIST, trees.before, trees.after];
    return parseRawDiff((await this.git(look, signal)).toString(encoding)).differences;
  }
}

const LIST = ['diff-tree', '-r', '-z', '--raw', '--no-renames'];

const KINDS: Readonly<Record<string, FileVersion['kind']>> = { '120000': 'link', [SUBMODULE]: 'submodule' };

function toFileVersion(version: RawVersion | null): FileVersion | null {
  return version === null ? null : { object: version.object, kind: KINDS[version.mode] ?? 'file' };
}
