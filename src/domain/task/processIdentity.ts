/** A process, distinguished from a later one that re-used its number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the machine's own words: compared, never parsed. */
  readonly startedAt: string;
}
