import { formatShortTime } from '../../../app/present/reasons/amounts';
import type { ShownReason } from '../../../app/present/reasons/reason';
import type { QueueViewModel } from '../../../app/viewModel/queueViewModel';
import { t } from '../../../platform/text/translate';

/** Describes when tasks start again, as the rest of a header: `from 22:10`. Null: nothing stops them, or it is not known. */
export function describeResumption({ stops, world }: Pick<QueueViewModel, 'stops' | 'world'>): string | null {
  const [first] = stops;
  if (first === undefined) return null;
  if (first.waitsFor === 'person') return describeAction(first);
  const until = stops.reduce((latest, stop) => Math.max(latest, stop.until ?? Infinity), 0);
  return until === Infinity ? null : t('from {0}', formatShortTime(until, world));
}

function describeAction({ causes: [cause] }: ShownReason): string {
  if (cause?.kind === 'settings') return t('once the settings are valid');
  if (cause?.kind === 'unreviewed') return t('once you review');
  if (cause?.kind !== 'gate') return t('once you resume');
  return cause.gate.block.kind === 'sign-in' ? t('once you sign in') : t('once it is fixed');
}
