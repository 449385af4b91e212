import type { World } from '../domain/explain';
import type { Rate } from '../domain/rates';
import { formatDuration } from '../domain/duration';
import { PRIORITIES, type Priority } from '../domain/priority';
import { type Service, serviceOf } from '../domain/service';
import type { TaskId } from '../domain/task';
import type { Picture } from './picture';

/** How many tasks are late, or about to be. */
export interface ServiceCounts {
  readonly violated: number;
  readonly atRisk: number;
}

/** How each task that waits or runs stands with its service time. */
export function servicesOf(tasks: Picture['tasks'], world: World): ReadonlyMap<TaskId, Service> {
  const services = new Map<TaskId, Service>();
  for (const { task } of tasks) {
    const service = serviceOf(task, world);
    if (service !== null) services.set(task.definition.id, service);
  }
  return services;
}

export function countServices(services: ReadonlyMap<TaskId, Service>): ServiceCounts {
  const standings = [...services.values()].map(({ standing }) => standing);
  return {
    violated: standings.filter((standing) => standing === 'violated').length,
    atRisk: standings.filter((standing) => standing === 'at-risk').length,
  };
}

/** What stands behind a task's priority where it is late, or about to be. */
export const SERVICE_MARKS: Readonly<Record<Service['standing'], string>> = {
  'in-time': '',
  'at-risk': '!',
  violated: '!!',
};

/** The same as a sentence that explains the marks; null: nothing is late. */
export function describeServices({ violated, atRisk }: ServiceCounts): string | null {
  const parts = [
    ...(violated === 0 ? [] : [`${String(violated)} violated (!!)`]),
    ...(atRisk === 0 ? [] : [`${String(atRisk)} at risk (!)`]),
  ];
  return parts.length === 0 ? null : `Service times: ${parts.join(', ')}.`;
}

/** How each priority was served, a line for each that was. */
export function describeRates(rates: Readonly<Record<Priority, Rate>>): string[] {
  const lines = PRIORITIES.filter((priority) => rates[priority].lastDay > 0).map((priority) => {
    const { lastHour, lastDay, meanWaitMs, meanDurationMs } = rates[priority];
    const times = [
      ...(meanWaitMs === null ? [] : [`waited ${formatDuration(meanWaitMs)}`]),
      ...(meanDurationMs === null ? [] : [`took ${formatDuration(meanDurationMs)}`]),
    ];
    const means = times.length === 0 ? '' : `; on average each ${times.join(' and ')}`;
    return `${priority}: ${String(lastHour)} in the last hour, ${String(lastDay)} in 24 hours${means}`;
  });
  return lines.length === 0 ? ['No attempt has ended in the last 24 hours.'] : lines;
}
