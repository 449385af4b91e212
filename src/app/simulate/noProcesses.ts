import type { Processes } from '../../platform/processes/processes';
import { SIMULATED_PROCESS } from './simulatedRunner';

/** Processes of a simulation: none is started or ended. */
export const NO_PROCESSES: Processes = {
  identify: () => null,
  identifyChild: () => null,
  isAlive: () => true,
  ancestors: () => [],
  isInsideAttempt: () => false,
  findMarked: () => [],
  commandLine: () => null,
  self: () => SIMULATED_PROCESS,
  endTree: () => Promise.resolve(),
};
