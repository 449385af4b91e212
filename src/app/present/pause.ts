import type { Priority } from '../../domain/task/priority';
import type { ReachedBound } from '../../domain/queue/reachedBound';
import type { Hold } from '../../domain/queue/view';
import type { EpochMs } from '../../domain/time/epoch';
import { formatSecond } from '../../domain/time/localTime';
import { formatTime, type Moment } from '../../domain/time/moment';
import { formatUsd } from '../../domain/usd';
import { count } from './text';

/** `low`, `medium and low`, `high, medium and low`. */
export function namePriorities(priorities: readonly Priority[]): string {
  const [last = '', ...others] = [...priorities].reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
}

/** What is held, and why, as a sentence. */
export function describeHold(hold: Hold, moment: Moment): string {
  const { priorities } = hold;
  const why = describeWhy(hold, moment);
  return priorities === undefined
    ? `The queue is held: ${why}.`
    : `Tasks of priority ${namePriorities(priorities)} are held: ${why}.`;
}

/** Why the queue, or a part of it, is paused, as the rest of a sentence. */
export function describeWhy({ why, bound }: Pick<Hold, 'why' | 'bound'>, moment: Moment): string {
  return bound === undefined ? why : describeBound(bound, moment);
}

/** Which bound of a stretch of work was reached, as the rest of a sentence. */
export function describeBound(bound: ReachedBound, moment: Moment): string {
  return `this stretch of work was to end ${describeReached(bound, moment)}`;
}

function describeReached(bound: ReachedBound, moment: Moment): string {
  switch (bound.kind) {
    case 'until':
      return `at ${describeEnd(bound.at, moment)}`;
    case 'tasks':
      return `after ${count(bound.count, 'task')}`;
    case 'cost':
      return `at a cost of ${formatUsd(bound.maxUsd)}, and has cost ${formatUsd(bound.usd)}`;
    case 'usage-windows':
      return `after ${count(bound.count, '5-hour usage window')}`;
  }
}

const MINUTE_MS = 60_000;

/** To the second where it is no whole minute: nothing is said to end later than it does. */
function describeEnd(until: EpochMs, moment: Moment): string {
  return until % MINUTE_MS === 0 ? formatTime(until, moment) : formatSecond(until, moment.timeZone);
}
