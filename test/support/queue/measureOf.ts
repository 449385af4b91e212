import type { DiffMeasure } from '../../../src/platform/git/changeMeasure';
import type { Change } from '../../../src/platform/git/repositoryCopy';

/** A measurement of nothing, with these changes. */
export function measureOf(changes: Partial<DiffMeasure>): DiffMeasure {
  return {
    end: () => Promise.resolve(undefined),
    hash: () => Promise.resolve(undefined),
    isCurrent: () => Promise.resolve(false),
    drop: () => undefined,
    ...changes,
  };
}

/** A change without trees. */
export function changeOf(changes: Partial<Change>): Change {
  const nothing = { files: 0, insertions: 0, deletions: 0 };
  const place = { top: '/', folder: '/' };
  return {
    ...{
      size: nothing,
      changedTests: false,
      trees: null,
      leftOut: [],
      format: 'sha1',
      place,
      pack: () => Promise.resolve(),
    },
    ...changes,
  };
}
