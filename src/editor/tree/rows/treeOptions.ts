/** Facts by which the tree can group tasks. */
export const GROUPINGS = ['state', 'priority', 'user', 'folder'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** The user's choices for the tree. */
export interface TreeOptions {
  readonly grouping: Grouping;
  /** Filter as the user typed it; empty: none. */
  readonly filter: string;
  /** Number of rows to show of groups with more than `FIRST_ROWS`, by the key of the group. */
  readonly limits: ReadonlyMap<string, number>;
}

/** Number of rows of a group that the tree shows at first: the editor receives all of them at each change. */
export const FIRST_ROWS = 100;

/** Number of rows of a group that are added on request. */
export const MORE_ROWS = 400;

/** Choices at the start. */
export const DEFAULT_OPTIONS: TreeOptions = { grouping: 'state', filter: '', limits: new Map() };

/** Returns the choices with more rows in one group. */
export function showMoreIn(options: TreeOptions, key: string): TreeOptions {
  const limit = (options.limits.get(key) ?? FIRST_ROWS) + MORE_ROWS;
  return { ...options, limits: new Map([...options.limits, [key, limit]]) };
}
