/** Version of a file in a tree: its mode, and the name of its object. */
export interface RawVersion {
  readonly mode: string;
  readonly object: string;
}

/** Whether two versions have the same mode and content; null: there is none. */
export function isSameVersion(a: RawVersion | null, b: RawVersion | null): boolean {
  return a?.mode === b?.mode && a?.object === b?.object;
}

/** A path that differs between two trees. Null: the tree does not have it. */
export interface RawDifference {
  readonly path: string;
  readonly before: RawVersion | null;
  readonly after: RawVersion | null;
}

/** Mode of a submodule. Its commit is in another repository. */
export const SUBMODULE = '160000';

/** Mode of a path that a tree does not have. */
const NOTHING = '000000';

/**
 * Parses the output of `git diff-tree -z --raw`: for each path, a line of modes and objects, and the path itself. `rest` is
 * the text after them, such as that of `--shortstat`.
 */
export function parseRawDiff(text: string): {
  readonly differences: readonly RawDifference[];
  readonly rest: string;
} {
  const pieces = text.split('\0');
  const differences: RawDifference[] = [];
  for (let at = 0; at + 1 < pieces.length; at += 2) {
    const [oldMode = '', mode = '', oldObject = '', object = ''] = (pieces[at] ?? '').slice(1).split(' ');
    const versions = { before: versionOf(oldMode, oldObject), after: versionOf(mode, object) };
    differences.push({ path: pieces[at + 1] ?? '', ...versions });
  }
  return { differences, rest: pieces.at(-1) ?? '' };
}

function versionOf(mode: string, object: string): RawVersion | null {
  return mode === NOTHING ? null : { mode, object };
}
