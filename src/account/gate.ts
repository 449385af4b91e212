import * as path from 'node:path';
import type { ProcessIdentity } from '../domain/task/processIdentity';
import {
  admitAttempt,
  dropVoidProbes,
  isFullyOpen,
  probeGate,
  type GateRules,
} from '../domain/gate/gateOpening';
import { applyReport, type AttemptReport } from '../domain/gate/gateReport';
import type { GateView, Starter } from '../domain/gate/limits';
import { OPEN_GATE, reopenGate } from '../domain/gate/limits';
import type { Clock } from '../platform/clock';
import { isGate, isOfLaterProgram } from './gateShape';
import { UserFile } from './userFile';

/** One account's gate, shared by all its queues on this machine. */
export interface Gate {
  view(): Promise<GateView>;
  /**
   * Reports an attempt: a limit closes the gate, an accepted request opens it further. Returns the
   * gate after it.
   */
  report(report: AttemptReport): Promise<GateView>;
  /**
   * Asks whether this run may start now, and records its start. Of several that ask at once after a reset, one becomes
   * the probe. An admitted run must report how it ended.
   */
  admit(starter: Starter): Promise<boolean>;
  /** Opens the gate after the user has fixed the cause. */
  reopen(): Promise<void>;
  /** Opens the gate early: the user lets one task try before the reset. Returns the gate after it. */
  probe(): Promise<GateView>;
}

/** Options of a gate's file. */
export interface GateOptions {
  /** The user's state folder. */
  readonly folder: string;
  /** Identifies the account. Other characters than letters, digits, `_` and `-` do not reach the file system. */
  readonly account: string;
  readonly clock: Clock;
  /** Returns the rules as they are at the time of the call. */
  readonly rules: () => GateRules;
  /** Whether this process lives: a probe may have died. */
  readonly isAlive: (process: ProcessIdentity) => boolean;
}

/** Returns the gate of an account, stored in a file of the user. */
export function createFileGate({ folder, account, clock, rules, isAlive }: GateOptions): Gate {
  const name = `${account.replaceAll(/[^A-Za-z0-9_-]/g, '_')}.json`;
  const file = new UserFile<GateView>(path.join(folder, 'gates', name), OPEN_GATE, isGate, isOfLaterProgram);
  const view = async (): Promise<GateView> => dropVoidProbes(await file.read(), clock.now(), isAlive);
  return {
    view,
    report: async (report) => {
      const change = (gate: GateView): GateView => applyReport(gate, report, clock.now(), rules());
      // Most reports change nothing, and need not wait for the lock.
      const seen = await view();
      return change(seen) === seen ? seen : file.update(change);
    },
    admit: async (starter) => {
      if (isFullyOpen(await file.read(), clock.now(), rules())) return true;
      let isAdmitted = false;
      await file.update((gate) => {
        const now = clock.now();
        const admitted = admitAttempt(dropVoidProbes(gate, now, isAlive), starter, now, rules());
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
