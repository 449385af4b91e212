import type { Gate } from '../../account/gate';
import type { GateView } from '../../domain/gate/limits';
import type { Clock } from '../../platform/clock';

/**
 * The gate of an account that may not pay: closed for anyone who asks through this one, and not for others. What a run meets
 * is told to the account all the same, and the user may open that.
 */
export function closeForPayer(gate: Gate, why: string, clock: Clock): Gate {
  const block = { kind: 'billing', since: clock.now(), until: null, message: why } as const;
  const close = (view: GateView): GateView => ({ ...view, closures: [...view.closures, block] });
  return {
    view: async () => close(await gate.view()),
    report: async (met) => close(await gate.report(met)),
    // A task that was claimed under another payer may come to its turn only now.
    admit: () => Promise.resolve(false),
    reopen: () => gate.reopen(),
    probe: async () => close(await gate.probe()),
  };
}
