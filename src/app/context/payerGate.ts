import type { Gate } from '../../account/gate';
import type { GateView } from '../../domain/gate/gate';
import type { EpochMs } from '../../domain/time/epoch';

/**
 * Gate that is closed because its account may not pay, only for callers that use this one. What an attempt reports
 * still reaches the account's gate, and the user may open that.
 */
export function closeForPayer(gate: Gate, why: string, since: EpochMs): Gate {
  const block = { kind: 'billing', since, until: null, message: why } as const;
  const close = (view: GateView): GateView => ({ ...view, closures: [...view.closures, block] });
  return {
    view: async () => close(await gate.view()),
    report: async (met) => close(await gate.report(met)),
    // A task that was claimed under another payer may ask for admission only now.
    admit: () => Promise.resolve(false),
    reopen: () => gate.reopen(),
    probe: async () => close(await gate.probe()),
  };
}
