import type { Rate } from '../../domain/order/rates';
import { formatDuration } from '../../domain/time/duration';
import { PRIORITIES } from '../../domain/task/priority';
import type { Service } from '../../domain/order/service';
import { t } from '../../platform/text/translate';
import type { UserService } from '../viewModel/queuedByUser';
import type { Status } from '../viewModel/status';
import type { TaskViewModel } from '../viewModel/queueViewModel';
import { COMMA } from './text';

/** Number of tasks that are late or at risk. */
export interface ServiceCounts {
  readonly violated: number;
  readonly atRisk: number;
}

/** Counts the tasks that are late or at risk. */
export function countServices(tasks: readonly TaskViewModel[]): ServiceCounts {
  return {
    violated: tasks.filter(({ service }) => service?.standing === 'violated').length,
    atRisk: tasks.filter(({ service }) => service?.standing === 'at-risk').length,
  };
}

/** Mark after a task's priority if it is late or at risk. */
export const SERVICE_MARKS: Readonly<Record<Service['standing'], string>> = {
  'in-time': '',
  'at-risk': '!',
  violated: '!!',
};

/** Explains the marks in a sentence; null if no task has one. */
export function describeServices({ violated, atRisk }: ServiceCounts): string | null {
  const parts = [
    ...(violated === 0 ? [] : [t('{0} violated (!!)', violated)]),
    ...(atRisk === 0 ? [] : [t('{0} at risk (!)', atRisk)]),
  ];
  return parts.length === 0 ? null : t('Service times: {0}.', parts.join(COMMA));
}

/** Describes the service rates of each priority, and of attempts of unknown priority, one line each. */
export function describeRates({ rates, rateOfUnknown }: Pick<Status, 'rates' | 'rateOfUnknown'>): string[] {
  const groups = [
    ...PRIORITIES.map((priority) => [priority, rates[priority]] as const),
    ['(priority unknown)', rateOfUnknown] as const,
  ];
  const lines = groups.flatMap(([name, rate]) =>
    rate.lastDay === 0 ? [] : [`${name}: ${describeRate(rate)}`],
  );
  return lines.length === 0 ? ['No attempt has ended in the last 24 hours.'] : lines;
}

function describeRate({ lastHour, lastDay, meanWaitMs, meanDurationMs }: Rate): string {
  const times = [
    ...(meanWaitMs === null ? [] : [`waited ${formatDuration(meanWaitMs)}`]),
    ...(meanDurationMs === null ? [] : [`took ${formatDuration(meanDurationMs)}`]),
  ];
  const means = times.length === 0 ? '' : `; on average each ${times.join(' and ')}`;
  return `${String(lastHour)} in the last hour, ${String(lastDay)} in 24 hours${means}`;
}

/** Describes what waits of each user, and how they were served, one line each. */
export function describeUserService(users: readonly UserService[]): string[] {
  if (users.length === 0) return [t('No task is queued, and no attempt has ended in the last 24 hours.')];
  return users.map(({ user, queued, rate }) => {
    const name = user === '' ? t('(no user)') : user;
    const wait = formatDuration(queued.longestWaitMs);
    const tasks =
      queued.tasks === 0
        ? t('{0}: none queued', name)
        : t('{0}: {1} queued, longest wait {2}', name, queued.tasks, wait);
    return `${tasks}; ${describeRate(rate)}`;
  });
}
