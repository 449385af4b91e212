import { admitAttempt, type GateRules } from '../../domain/gate/gateOpening';
import { applyReport, type AttemptReport } from '../../domain/gate/gateReport';
import type { GateView, Starter } from '../../domain/gate/gate';
import type { Clock } from '../../platform/clock';
import type { WorkerGate } from '../../worker/workerDeps';

/** Returns a gate in memory, by the rules of the account's gate. */
export function createSimulatedGate(
  start: GateView,
  clock: Pick<Clock, 'now'>,
  rules: GateRules,
): WorkerGate {
  let gate = start;
  return {
    view: () => Promise.resolve(gate),
    confirm: () => Promise.resolve(),
    report: (report: AttemptReport) => {
      gate = applyReport(gate, report, clock.now(), rules);
      return Promise.resolve(gate);
    },
    admit: (starter: Starter) => {
      const admitted = admitAttempt(gate, starter, clock.now(), rules);
      gate = admitted ?? gate;
      return Promise.resolve(admitted !== null);
    },
  };
}
