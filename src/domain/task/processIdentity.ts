/** A process, distinguished from a later one that re-used its number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in the system's own format: compared, never parsed. */
  readonly startedAt: string;
}
