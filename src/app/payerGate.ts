import type { Gate } from '../account/gate';
import type { Clock } from '../platform/clock';

/** The gate of an account that may not pay: closed as long as it is looked at like this, and not for others. */
export function closeForPayer(gate: Gate, why: string, clock: Clock): Gate {
  const closure = { kind: 'billing', since: clock.now(), until: null, message: why } as const;
  return {
    ...gate,
    view: async () => {
      const view = await gate.view();
      return { ...view, closures: [...view.closures, closure] };
    },
  };
}
