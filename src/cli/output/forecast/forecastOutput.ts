import {
  describeAssumedWorker,
  describeBasis,
  describeNight,
  describeRisks,
  describeWait,
  formatTimes,
} from '../../../app/present/tonight/forecastTexts';
import { STATE_NAMES } from '../../../app/present/reasons/stateNames';
import { isoOrNull, titleOf } from '../../../app/present/text';
import type { Forecast, Range, TaskForecast } from '../../../app/simulate/forecast';
import { formatMinute } from '../../../domain/time/localTime';
import type { Moment } from '../../../domain/time/moment';
import { formatJson } from '../../options/parseArguments';
import { cutToWidth } from '../displayWidth';
import { layToFit, type LayTable } from './layToFit';

const TITLE_WIDTH = 40;

/**
 * Lays a forecast out as text: the tasks that start, in order; those that do not, with the reason; what it is based on.
 * `columns` as in `layToFit`.
 */
export function layForecastOut(forecast: Forecast, moment: Moment, columns: number | null): string {
  return layToFit((table) => layWithTables(forecast, moment, table), columns);
}

function layWithTables(forecast: Forecast, moment: Moment, table: LayTable): readonly string[] {
  const byId = new Map(forecast.tasks.map((task) => [task.id, task]));
  const name = ({ id, prompt }: TaskForecast): string[] => [
    String(id),
    cutToWidth(titleOf(prompt), TITLE_WIDTH),
  ];
  const started = forecast.order.flatMap((id) => byId.get(id) ?? []);
  const others = forecast.tasks.filter(({ start, reason }) => start === null && reason.state !== 'completed');
  return [
    `${String(started.length)} of ${String(started.length + others.length)} tasks start by ${formatMinute(forecast.until, moment.timeZone)}.`,
    ...describeAssumedWorker(forecast, moment),
    ...forecast.reviews.map(({ text }) => text),
    ...table(
      ['id', 'prompt', 'starts', 'completed', 'attempts', 'risk', 'why not earlier'],
      started.map((task) => [...name(task), ...toCells(task, forecast, moment)]),
      5,
    ),
    ...table(
      ['id', 'prompt', 'does not start', 'why', 'risk'],
      others.map((task) => [
        ...name(task),
        STATE_NAMES[task.reason.state],
        task.reason.text,
        describeRisks(task),
      ]),
      3,
    ),
    '',
    ...describeNight(forecast, moment),
    ...describeBasis(forecast),
  ];
}

function toCells(task: TaskForecast, { isTimeKnown }: Forecast, moment: Moment): string[] {
  return [
    formatTimes(task.start, isTimeKnown, moment),
    formatTimes(task.end, isTimeKnown, moment),
    String(task.attempts),
    describeRisks(task),
    describeWait(task),
  ];
}

/** JSON of a forecast: the contract of `simulate --json`. Times that are not known are null. */
export function forecastJson(forecast: Forecast): string {
  return formatJson(toPlainForecast(forecast));
}

/** Returns the values of the JSON of a forecast. */
export function toPlainForecast(forecast: Forecast): object {
  const {
    from,
    until,
    nights,
    assumedWorker,
    isTimeKnown,
    isUsageKnown,
    costUsd,
    isCostPartial,
    limits,
    limitTimes,
    order,
    unlessUnchanged,
    skipsUnchanged,
  } = forecast;
  const times = (range: Range | null): object | null =>
    range === null
      ? null
      : { p50: isoOrNull(isTimeKnown ? range.p50 : null), p80: isoOrNull(isTimeKnown ? range.p80 : null) };
  return {
    from: isoOrNull(from),
    until: isoOrNull(until),
    simulations: nights,
    assumedWorker:
      assumedWorker === null ? null : { from: isoOrNull(assumedWorker.from), timer: assumedWorker.timer },
    problems: forecast.problems,
    reviews: forecast.reviews,
    timesKnown: isTimeKnown,
    usageKnown: isUsageKnown,
    costUsd: isTimeKnown && costUsd.p50 !== null ? costUsd : null,
    isCostPartial,
    limits: isUsageKnown ? limits : null,
    limitTimes: isUsageKnown
      ? limitTimes.map(({ window, at, until: reset, before }) => ({
          window,
          at: times(at),
          until: times(reset),
          before,
        }))
      : null,
    tasks: forecast.tasks.map(({ id, start, end, attempts, needsUser, late, reason }) => ({
      id,
      start: times(start),
      end: times(end),
      attempts,
      needsUser,
      late: isTimeKnown ? late : null,
      shown: reason.state,
      reason: reason.text,
    })),
    order,
    unlessUnchanged,
    skipsUnchanged,
  };
}
