import type { Priority } from '../../domain/task/priority';
import type { ReachedBound } from '../../domain/queue/reachedBound';
import type { Hold } from '../../domain/queue/view';
import type { EpochMs } from '../../domain/time/epoch';
import { formatSecond } from '../../domain/time/localTime';
import { formatTime, type Moment } from '../../domain/time/moment';
import { formatUsd } from '../../domain/usd';
import { t } from '../../platform/text/translate';

/** `low`, `medium and low`, `high, medium and low`. */
export function namePriorities(priorities: readonly Priority[]): string {
  const [last = '', ...others] = [...priorities].reverse();
  return others.length === 0 ? last : t('{0} and {1}', others.reverse().join(', '), last);
}

/** Describes a pause and its reason, as a sentence. */
export function describeHold(hold: Hold, moment: Moment): string {
  const { priorities } = hold;
  const why = describeWhy(hold, moment);
  return priorities === undefined
    ? t('The queue is paused: {0}.', why)
    : t('Tasks with priority {0} are paused: {1}.', namePriorities(priorities), why);
}

/** Returns why the queue, or a part of it, is paused, as the rest of a sentence. */
export function describeWhy({ why, bound }: Pick<Hold, 'why' | 'bound'>, moment: Moment): string {
  return bound === undefined ? why : describeBound(bound, moment);
}

/** Names the bound that a worker reached: the option of `work` that set it. */
export function describeBound(bound: ReachedBound, moment: Moment): string {
  switch (bound.kind) {
    case 'until':
      return `--until ${describeEnd(bound.at, moment)}`;
    case 'tasks':
      return `--max-tasks ${String(bound.count)}`;
    case 'cost':
      return t('{0}, reached at {1}', `--max-cost ${formatUsd(bound.maxUsd)}`, formatUsd(bound.usd));
    case 'usage-windows':
      return `--max-usage-windows ${String(bound.count)}`;
  }
}

const MINUTE_MS = 60_000;

/** Formats an end, with seconds unless it is a whole minute: never earlier than it is. */
function describeEnd(until: EpochMs, moment: Moment): string {
  return until % MINUTE_MS === 0 ? formatTime(until, moment) : formatSecond(until, moment.timeZone);
}
