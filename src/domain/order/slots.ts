/**
 * Number of tasks that a worker runs in parallel: `min` as soon as they are ready. One more, up to `max`, while more
 * are ready than it runs.
 */
export interface Slots {
  readonly min: number;
  readonly max: number;
}
