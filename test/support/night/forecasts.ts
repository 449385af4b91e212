import assert from 'node:assert/strict';
import type { Forecast, TaskForecast } from '../../../src/app/simulate/forecast';
import { HOUR, MINUTE, NOW, paint } from '../queue/viewModels';

/** A task that starts in an hour, and ends 10 to 30 minutes later. */
export function expected(more: Partial<TaskForecast> = {}): TaskForecast {
  const [shown] = paint([{}]).tasks;
  assert.ok(shown);
  return {
    id: 1,
    prompt: 'Count <b>stars</b>',
    start: { p50: NOW + HOUR, p80: NOW + HOUR },
    end: { p50: NOW + HOUR + 10 * MINUTE, p80: NOW + HOUR + 30 * MINUTE },
    attempts: 1,
    needsUser: 0,
    late: 0,
    deadline: null,
    hasEnded: false,
    reason: shown.reason,
    ...more,
  };
}

/** A forecast of 50 nights of these tasks, in their order. */
export function forecastOf(tasks: readonly TaskForecast[], more: Partial<Forecast> = {}): Forecast {
  return {
    ...{ from: NOW, until: NOW + 24 * HOUR, nights: 50, problems: 0, assumedWorker: null, reviews: [] },
    ...{ isTimeKnown: true, isUsageKnown: true, tasks },
    order: tasks.filter(({ start }) => start !== null).map(({ id }) => id),
    ...{ unlessUnchanged: [], skipsUnchanged: [] },
    ...{ costUsd: { p50: 1.5, p80: 2 }, isCostPartial: false },
    limits: { p50: 1, p80: 1 },
    limitTimes: [],
    ...more,
  };
}
