import type { RunProgram } from '../../platform/processes/programs';
import type { Host } from '../context/host';

/** Facts and functions for scheduling. */
export interface Scheduling {
  readonly platform: NodeJS.Platform;
  readonly userId: number;
  /** Command that starts this program; each path in it is absolute. */
  readonly program: readonly [string, ...string[]];
  readonly run: RunProgram;
}

/** Machine whose schedulers are used. */
export interface SchedulingSystem extends Pick<Host, 'env' | 'clock'> {
  readonly scheduling: Scheduling;
}
