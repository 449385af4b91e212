import { formatShortTime } from '../../../app/present/reasons/amounts';
import {
  describeLimit,
  describeRisksAndDeadline,
  describeWait,
  formatTimes,
} from '../../../app/present/tonight/forecastTexts';
import { titleOf } from '../../../app/present/text';
import type { Forecast, TaskForecast } from '../../../app/simulate/forecast';
import type { EpochMs } from '../../../domain/time/epoch';
import type { Moment } from '../../../domain/time/moment';
import { t } from '../../../platform/text/translate';
import { drawAxisLabels } from '../axisLabels';
import { type Html, markup } from '../html';

/** Time axis of a timeline: its start, and its length in ms. */
export interface Axis {
  readonly from: EpochMs;
  readonly span: number;
}

/** Returns the axis on which all of these tasks of forecasts have room. */
export function axisOf({ from }: Forecast, tasks: readonly TaskForecast[]): Axis {
  const ends = tasks.flatMap(({ end, start }) => end?.p80 ?? end?.p50 ?? start?.p50 ?? []);
  return { from, span: Math.max(...ends, from + 1) - from };
}

/** Draws the head of the column with the bars. */
export function drawAxis({ from, span }: Axis, moment: Moment): Html {
  return markup`<th scope="col" class="time"><div class="hours">${drawAxisLabels(from, from + span, moment)}</div></th>`;
}

/** Width of the time axis, in units of the picture. */
const WIDTH = 1000;

/**
 * Solid: likely runs. Thin: to the end in 80 of 100 nights. Behind it: likely from a usage limit to its reset. Across: the
 * deadline. The page says the same in words.
 */
export function drawBar(
  task: TaskForecast,
  { from, span }: Axis,
  forecast: Forecast,
  moment: Moment,
): Html | null {
  const { start, end } = task;
  if (typeof start?.p50 !== 'number') return null;
  const x = (at: number): number => Math.round((Math.min(Math.max(at - from, 0), span) / span) * WIDTH);
  const likelyEnd = end?.p50 ?? start.p50;
  const lastEnd = end?.p80 ?? likelyEnd;
  const width = (a: number, b: number, least: number): number => Math.max(x(b) - x(a), least);
  const bands = forecast.limitTimes.flatMap((limit) => {
    const [since, until] = [limit.at.p50, limit.until.p50];
    if (since === null || since >= from + span) return [];
    return markup`<rect class="limit" x="${x(since)}" y="-3" height="20" width="${width(since, until ?? from + span, 3)}"><title>${describeLimit(limit, moment)}</title></rect>`;
  });
  return markup`<svg viewBox="0 -3 ${WIDTH} 20" preserveAspectRatio="none" aria-hidden="true" focusable="false">${bands}<g><title>${describeBar(task, forecast, moment)}</title><rect class="tail" x="${x(likelyEnd)}" y="5" height="4" width="${width(likelyEnd, lastEnd, 0)}"></rect><rect class="likely" x="${x(start.p50)}" y="2" height="10" width="${width(start.p50, likelyEnd, 3)}"></rect></g>${drawDeadline(task, { from, span }, x)}</svg>`;
}

function drawDeadline(
  { deadline }: TaskForecast,
  { from, span }: Axis,
  x: (at: number) => number,
): Html | null {
  if (deadline === null || deadline < from || deadline > from + span) return null;
  return markup`<line class="deadline" x1="${x(deadline)}" x2="${x(deadline)}" y1="-2" y2="16"></line>`;
}

/** Hover of a bar: its times, and why it is not earlier. */
function describeBar(task: TaskForecast, { isTimeKnown }: Forecast, moment: Moment): string {
  const starts = t('Starts: {0}', formatTimes(task.start, isTimeKnown, moment));
  const ends = formatTimes(task.end, isTimeKnown, moment);
  const wait = describeWait(task);
  return [
    starts,
    ...(ends === '' ? [] : [t('Completed: {0}', ends)]),
    ...(task.deadline === null ? [] : [t('Deadline: {0}', formatShortTime(task.deadline, moment))]),
    ...(wait === '' ? [] : [t('Why not earlier: {0}', wait)]),
  ].join('\n');
}

/** Draws the id and the prompt of a task, as a link to its row. */
export function drawName({ id, prompt }: TaskForecast): Html {
  return markup`<button class="link" data-action="row" data-value="${id}">${id}  ${titleOf(prompt)}</button>`;
}

/** Draws the cells of a task's times. A cell has the name of its column, which a narrow page shows in it. */
export function drawTimes(
  { start, end }: TaskForecast,
  { isTimeKnown }: Forecast,
  moment: Moment,
  starts = formatTimes(start, isTimeKnown, moment),
): Html {
  return markup`<td data-name="${t('Starts')}">${starts}</td><td data-name="${t('Completed')}">${formatTimes(end, isTimeKnown, moment)}</td>`;
}

/** Draws the cell of a task's risks and its deadline. */
export function drawRisks(task: TaskForecast, moment: Moment): Html {
  return markup`<td class="risk" data-name="${t('Risk')}">${describeRisksAndDeadline(task, moment)}</td>`;
}
