import type { ProcessIdentity } from '../task/processIdentity';
import type { EpochMs } from '../time/epoch';
import type { GateBlock, GateView, Probe, TaskRef } from './gate';

/** Parts of an attempt's report that say whose it is, and whether its requests pass. */
export interface ProbeReport {
  /** Task of the attempt; absent: the report is of a session that no worker started. */
  readonly task?: TaskRef;
  /** Name of the attempt's worker. Another worker may own the task meanwhile. */
  readonly worker?: string;
  /** Machine of that worker: another machine may have a worker of the same name. */
  readonly machine?: string;
  /** True: a request was accepted. False: the attempt has ended. Absent: neither is known. */
  readonly passed?: boolean;
}

/** Time after its start for which a probe without a report counts as running. */
export const PROBE_TIMEOUT_MS = 10 * 60_000;

/** Whether a probe may still be running: it did not time out. */
export function isLive({ at }: Probe, now: EpochMs): boolean {
  return Math.abs(now - at) < PROBE_TIMEOUT_MS;
}

/** Adds the attempt's process to its probe. The probe then lives as long as the worker or this process. */
export function noteStartedProcess(gate: GateView, report: ProbeReport, run: ProcessIdentity): GateView {
  if (!gate.closures.some(({ trial }) => trial !== undefined && isProbeOf(trial, report))) return gate;
  return {
    ...gate,
    closures: gate.closures.map((block) => {
      const { trial } = block;
      return trial !== undefined && isProbeOf(trial, report) ? { ...block, trial: { ...trial, run } } : block;
    }),
  };
}

/**
 * Ends the probe that the report is about. If the user opened the block early and the attempt ended, the block is
 * closed again.
 */
export function endProbe(gate: GateView, report: ProbeReport): GateView {
  const isOver = ({ trial }: GateBlock): boolean => trial !== undefined && isProbeOf(trial, report);
  if (!gate.closures.some(isOver)) return gate;
  const end = (block: GateBlock): GateBlock => {
    const { probed, ...rest } = withoutProbe(block);
    return probed === undefined || report.passed === false ? rest : { ...rest, probed };
  };
  return { ...gate, closures: gate.closures.map((block) => (isOver(block) ? end(block) : block)) };
}

/**
 * Whether the report comes from the worker and task that hold the probe. A worker that lost the task cannot end the
 * probe of the next one.
 */
function isProbeOf(probe: Probe, { task, worker, machine }: ProbeReport): boolean {
  if (task?.queue !== probe.task.queue || task.id !== probe.task.id) return false;
  return worker === probe.worker && machine === probe.machine;
}

/** Whether a process lives, as far as this machine can tell. `machine`: where it runs; absent: here. */
export type IsAlive = (process: ProcessIdentity, machine?: string) => boolean;

/**
 * Returns the gate without probes that timed out or died. A probe is dead when neither its worker nor its run lives.
 */
export function dropVoidProbes(gate: GateView, now: EpochMs, isAlive: IsAlive): GateView {
  const isThere = ({ machine, process, run }: Probe): boolean =>
    isAlive(process, machine) || (run !== undefined && isAlive(run, machine));
  const isVoid = ({ trial }: GateBlock): boolean =>
    trial !== undefined && !(isLive(trial, now) && isThere(trial));
  if (!gate.closures.some(isVoid)) return gate;
  return {
    ...gate,
    closures: gate.closures.map((block) => (isVoid(block) ? withoutProbe(block) : block)),
  };
}

/** Returns the block without its probe. */
function withoutProbe({ trial: _over, ...block }: GateBlock): GateBlock {
  return block;
}
