import type { DiffMeasure } from '../../../src/platform/git/gitDiff';

/** A measurement of nothing, with these changes. */
export function measureOf(changes: Partial<DiffMeasure>): DiffMeasure {
  return {
    end: () => Promise.resolve(undefined),
    isCurrent: () => Promise.resolve(false),
    drop: () => undefined,
    ...changes,
  };
}
