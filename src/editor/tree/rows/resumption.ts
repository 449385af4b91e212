import { formatShortTime } from '../../../app/present/reasons/amounts';
import type { ShownReason } from '../../../app/present/reasons/reason';
import type { QueueViewModel } from '../../../app/viewModel/queueViewModel';

/** Describes when tasks start again, as the rest of a header: `from 22:10`. Null: nothing stops them, or it is not known. */
export function describeResumption({ stops, world }: Pick<QueueViewModel, 'stops' | 'world'>): string | null {
  const [first] = stops;
  if (first === undefined) return null;
  if (first.waitsFor === 'person') return describeAction(first);
  const until = stops.reduce((latest, stop) => Math.max(latest, stop.until ?? Infinity), 0);
  return until === Infinity ? null : `from ${formatShortTime(until, world)}`;
}

function describeAction({ causes: [cause] }: ShownReason): string {
  if (cause?.kind !== 'gate') return 'once you resume';
  return cause.gate.block.kind === 'sign-in' ? 'once you sign in' : 'once it is fixed';
}
