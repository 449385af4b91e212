import type { Reason } from '../../../domain/reasons/reason';
import type { EpochMs } from '../../../domain/time/epoch';
import { formatTime, type Moment } from '../../../domain/time/moment';
import { t } from '../../../platform/text/translate';
import { describeReason } from '../reasons/reason';

/** Text of a task that no worker of a forecast takes. */
export const NO_TAKER = t('no worker takes it');

/** Describes the wait of a task behind others in a forecast. */
export function describeLine(before: number): string {
  return t('{0} before it', before);
}

/** Describes why a task that may start does not by the end of a forecast. */
export function describeNotReached(until: EpochMs, before: number, moment: Moment): string {
  const time = formatTime(until, moment);
  return before === 0 ? t('not reached by {0}', time) : t('not reached by {0}, {1} before it', time, before);
}

/** Describes a reason in simulated time. Its workers have no names that the user knows, and nothing runs in it now. */
export function describeSimulated(reason: Reason, moment: Moment): string {
  const [cause, ...others] = reason.causes;
  if (cause?.kind === 'dependency' && cause.unmet.why === 'running') {
    const waits = { ...cause, unmet: { ...cause.unmet, why: 'pending' } } as const;
    return describeReason({ ...reason, causes: [waits, ...others] }, moment);
  }
  if (cause?.kind !== 'directory' && cause?.kind !== 'made-way') return describeReason(reason, moment);
  return t('after {0}', cause.claim.id);
}
