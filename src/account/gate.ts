import * as path from 'node:path';
import { admitAttempt, isFullyOpen, openEarly, type GateRules } from '../domain/gate/gateOpening';
import { dropVoidProbes, type IsAlive } from '../domain/gate/probe';
import { applyReport, type AttemptReport } from '../domain/gate/gateReport';
import type { GateView, Starter } from '../domain/gate/gate';
import { reopenGate } from '../domain/gate/gate';
import type { Clock } from '../platform/clock';
import { GATE_FORMAT } from './gateShape';
import { UserFile } from './userFile';

/** One account's gate, shared by all who use its store. */
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

/** Where a gate is kept. Every process has the same value. */
export interface GateStore {
  /** Returns the value; the open gate where none was written. */
  read(): Promise<GateView>;
  /**
   * Replaces the value by the result of `change`, and returns it. Nothing is written when that is the same value.
   * `change` is called again when another process has written meanwhile.
   */
  update(change: (gate: GateView) => GateView): Promise<GateView>;
}

/** Options of a gate. */
export interface GateOptions {
  readonly store: GateStore;
  /** Time for all who use the store. */
  readonly clock: Pick<Clock, 'now'>;
  /** Returns the rules as they are at the time of the call. */
  readonly rules: () => GateRules;
  /** Whether a process lives: a probe may have died. */
  readonly isAlive: IsAlive;
}

/** Returns a gate with this store. */
export function createGate({ store, clock, rules, isAlive }: GateOptions): Gate {
  const view = async (): Promise<GateView> => dropVoidProbes(await store.read(), clock.now(), isAlive);
  return {
    view,
    report: async (report) => {
      const change = (gate: GateView): GateView => applyReport(gate, report, clock.now(), rules());
      // Most reports change nothing, and need not wait for the lock.
      const seen = await view();
      return change(seen) === seen ? seen : store.update(change);
    },
    admit: async (starter) => {
      if (isFullyOpen(await store.read(), clock.now(), rules())) return true;
      let isAdmitted = false;
      await store.update((gate) => {
        const now = clock.now();
        const admitted = admitAttempt(dropVoidProbes(gate, now, isAlive), starter, now, rules());
        isAdmitted = admitted !== null;
        return admitted ?? gate;
      });
      return isAdmitted;
    },
    reopen: async () => {
      await store.update((gate) => (gate.closures.length === 0 ? gate : reopenGate(gate)));
    },
    probe: () => store.update((gate) => openEarly(gate, clock.now(), rules())),
  };
}

/** Options of a gate's file. */
export interface GateFileOptions extends Omit<GateOptions, 'store'> {
  /** The user's state folder. */
  readonly folder: string;
  /** Identifies the account. Other characters than letters, digits, `_` and `-` do not reach the file system. */
  readonly account: string;
}

/** Returns the gate of an account, stored in a file of the user. */
export function createFileGate({ folder, account, ...options }: GateFileOptions): Gate {
  const name = `${account.replaceAll(/[^A-Za-z0-9_-]/g, '_')}.json`;
  const file = path.join(folder, 'gates', name);
  return createGate({ ...options, store: new UserFile(file, GATE_FORMAT) });
}
