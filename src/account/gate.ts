import * as path from 'node:path';
import type { ProcessIdentity } from '../domain/task/processIdentity';
import { admitRun, dropVoidProbes, isFullyOpen, probeGate, type GateRules } from '../domain/gate/gateOpening';
import { takeReport, type Met } from '../domain/gate/gateReport';
import type { GateView, Starter } from '../domain/gate/limits';
import { OPEN_GATE, reopenGate } from '../domain/gate/limits';
import type { Clock } from '../platform/clock';
import { isGate, isOfLaterProgram } from './gateShape';
import { UserFile } from './userFile';

/** One account's gate, shared by all its queues on this machine. */
export interface Gate {
  view(): Promise<GateView>;
  /** What a run has met: a limit closes the gate, a run that was let through opens it further. Gives the gate after it. */
  report(met: Met): Promise<GateView>;
  /**
   * Whether this run may start now. After a reset it takes its turn with that: of several that ask at once, one goes
   * first. Anyone who was given a turn reports how it went.
   */
  admit(starter: Starter): Promise<boolean>;
  /** The user has fixed what was in the way. */
  reopen(): Promise<void>;
  /** The user lets one task try before the reset. Gives the gate after it. */
  probe(): Promise<GateView>;
}

/** What the file of a gate needs. */
export interface GateOptions {
  /** The user's state folder. */
  readonly folder: string;
  /** Tells accounts apart; only its hash-like characters reach the file system. */
  readonly account: string;
  readonly clock: Clock;
  /** As they are at the time of each call. */
  readonly rules: () => GateRules;
  /** Whether that very process lives: anyone who was to go first may have died. */
  readonly isAlive: (process: ProcessIdentity) => boolean;
}

/** The gate of an account in a file of the user's. */
export function createFileGate({ folder, account, clock, rules, isAlive }: GateOptions): Gate {
  const name = `${account.replaceAll(/[^A-Za-z0-9_-]/g, '_')}.json`;
  const file = new UserFile<GateView>(path.join(folder, 'gates', name), OPEN_GATE, isGate, isOfLaterProgram);
  const view = async (): Promise<GateView> => dropVoidProbes(await file.read(), clock.now(), isAlive);
  return {
    view,
    report: async (met) => {
      const change = (gate: GateView): GateView => takeReport(gate, met, clock.now(), rules());
      // Most runs have nothing to tell, and nobody waits for a lock to hear that.
      const seen = await view();
      return change(seen) === seen ? seen : file.update(change);
    },
    admit: async (starter) => {
      if (isFullyOpen(await file.read(), clock.now(), rules())) return true;
      let isAdmitted = false;
      await file.update((gate) => {
        const now = clock.now();
        const admitted = admitRun(dropVoidProbes(gate, now, isAlive), starter, now, rules());
        isAdmitted = admitted !== null;
        return admitted ?? gate;
      });
      return isAdmitted;
    },
    reopen: async () => {
      await file.update((gate) => (gate.closures.length === 0 ? gate : reopenGate(gate)));
    },
    probe: () => file.update((gate) => probeGate(gate, clock.now(), rules())),
  };
}
