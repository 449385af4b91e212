import * as path from 'node:path';
import type { GateView, LimitSignal, WindowUsage } from '../domain/limits';
import { closeGate, OPEN_GATE, recordUsage, reopenGate } from '../domain/limits';
import type { Clock } from '../platform/clock';
import { UserFile } from './userFile';

/** One account's gate, shared by all its queues on this machine. */
export interface Gate {
  view(): Promise<GateView>;
  /** What a run has met: a limit closes the gate, fill levels are kept. Gives the gate after it. */
  report(signal: LimitSignal | null, usage: readonly WindowUsage[]): Promise<GateView>;
  /** A person has mended what was in the way, or wants to try. */
  reopen(): Promise<void>;
}

/** What the file of a gate needs. */
export interface GateOptions {
  /** The user's state folder. */
  readonly folder: string;
  /** Tells accounts apart; only its hash-like characters reach the file system. */
  readonly account: string;
  readonly clock: Clock;
  /** How long a limit without a believable reset is taken to last. */
  readonly limitFallbackMs: number;
}

/** The gate of an account in a file of the user's. */
export function createFileGate({ folder, account, clock, limitFallbackMs }: GateOptions): Gate {
  const name = `${account.replaceAll(/[^A-Za-z0-9_-]/g, '_')}.json`;
  const file = new UserFile<GateView>(path.join(folder, 'gates', name), OPEN_GATE);
  return {
    view: () => file.read(),
    report: async (signal, usage) => {
      if (signal === null && usage.length === 0) return file.read();
      return file.update((gate) => {
        const told = recordUsage(gate, usage, clock.now());
        return signal === null ? told : closeGate(told, signal, clock.now(), limitFallbackMs);
      });
    },
    reopen: async () => {
      await file.update((gate) => (gate.closures.length === 0 ? gate : reopenGate(gate)));
    },
  };
}
