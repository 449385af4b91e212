import {
  describeBasis,
  describeNight,
  describeRisks,
  formatTimes,
  isRisky,
  listUnsettled,
  summarizeForecast,
} from '../../../app/present/tonight/forecast';
import { formatShortTime } from '../../../app/present/reasons/amounts';
import { titleOf } from '../../../app/present/text';
import type { Forecast, TaskForecast } from '../../../app/simulate/forecast';
import { formatTime, type Moment } from '../../../domain/time/moment';
import { t } from '../../../platform/text/translate';
import { type Html, markup } from '../html';

/** Draws a forecast: what to settle first, then a timeline that is a table, then the tasks that do not start. */
export function drawForecast(forecast: Forecast, moment: Moment): Html {
  const byId = new Map(forecast.tasks.map((task) => [task.id, task]));
  const started = forecast.order.flatMap((id) => byId.get(id) ?? []);
  const others = forecast.tasks.filter(({ start, reason }) => start === null && reason.shown !== 'completed');
  return markup`<main>
<h1 tabindex="-1" data-focus>${summarizeForecast(forecast, moment)}</h1>
${describeNight(forecast).map((text) => markup`<p>${text}</p>`)}
<div class="tools"><button class="other" data-action="refresh">${t('Refresh')}</button><button class="other" data-action="rehearse">${t('Dry Run')}</button><small>${t('As of {0}.', formatTime(forecast.from, moment))}</small></div>
${drawUnsettled(forecast)}
${started.length === 0 ? null : drawTimeline(started, forecast, moment)}
${others.length === 0 ? null : drawOthers(others)}
${describeBasis(forecast).map((text) => markup`<p><small>${text}</small></p>`)}
</main>`;
}

function drawUnsettled(forecast: Forecast): Html | null {
  const found = listUnsettled(forecast);
  if (found.length === 0) return null;
  return markup`<section><h2>${t('Better Settled Before You Leave')}</h2><ul class="settle">${found.map(
    ({ task, text, action }) =>
      markup`<li>${drawName(task)}<p class="warning">${text}</p>${
        action === 'approve'
          ? markup`<button class="other" data-action="approve" data-value="${task.id}" aria-label="${t('Approve task {0}', task.id)}">${t('Approve…')}</button>`
          : null
      }</li>`,
  )}</ul></section>`;
}

function drawName({ id, prompt }: TaskForecast): Html {
  return markup`<button class="link" data-action="row" data-value="${id}">${id}  ${titleOf(prompt)}</button>`;
}

/** Parts of the time axis that have a label. */
const PARTS = 4;

function drawTimeline(tasks: readonly TaskForecast[], forecast: Forecast, moment: Moment): Html {
  const ends = tasks.flatMap(({ end, start }) => end?.p80 ?? end?.p50 ?? start?.p50 ?? []);
  const span = Math.max(...ends, forecast.from + 1) - forecast.from;
  const hours = Array.from({ length: PARTS + 1 }, (_, part) => forecast.from + (span * part) / PARTS);
  const axis = forecast.isTimeKnown
    ? markup`<th scope="col" class="time"><div class="hours">${hours.map((at) => markup`<span>${formatShortTime(at, moment)}</span>`)}</div></th>`
    : null;
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${t('Timeline')}"><table>
<thead><tr><th scope="col">${t('Task')}</th>${axis}<th scope="col">${t('Starts')}</th><th scope="col">${t('Completed')}</th><th scope="col" class="end">${t('Attempts')}</th><th scope="col">${t('Risk')}</th></tr></thead>
<tbody>${tasks.map((task) => drawRow(task, forecast, span, moment))}</tbody></table></div>`;
}

function drawRow(task: TaskForecast, forecast: Forecast, span: number, moment: Moment): Html {
  const { isTimeKnown } = forecast;
  const risks = describeRisks(task);
  const bar = isTimeKnown ? markup`<td class="time">${drawBar(task, forecast.from, span)}</td>` : null;
  return markup`<tr class="${isRisky(task) ? 'risky' : ''}"><td class="task">${drawName(task)}</td>${bar}
<td>${formatTimes(task.start, isTimeKnown, moment)}</td><td>${formatTimes(task.end, isTimeKnown, moment)}</td><td class="end">${task.attempts}</td><td>${risks}</td></tr>`;
}

/** Width of the time axis, in units of the picture. */
const WIDTH = 1000;

/** Solid: likely runs. Thin: to the end in 80 of 100 nights. The table says the same in words. */
function drawBar({ start, end }: TaskForecast, from: number, span: number): Html | null {
  if (typeof start?.p50 !== 'number') return null;
  const x = (at: number): number => Math.round(((at - from) / span) * WIDTH);
  const likelyEnd = end?.p50 ?? start.p50;
  const lastEnd = end?.p80 ?? likelyEnd;
  const width = (a: number, b: number, least: number): number => Math.max(x(b) - x(a), least);
  return markup`<svg viewBox="0 0 ${WIDTH} 14" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="tail" x="${x(likelyEnd)}" y="5" height="4" width="${width(likelyEnd, lastEnd, 0)}"></rect><rect class="likely" x="${x(start.p50)}" y="2" height="10" width="${width(start.p50, likelyEnd, 3)}"></rect></svg>`;
}

function drawOthers(tasks: readonly TaskForecast[]): Html {
  return markup`<section><h2>${t('Will Not Start')}</h2><table><tbody>${tasks.map(
    (task) =>
      markup`<tr><td class="task">${drawName(task)}</td><td>${task.reason.text === '' ? task.reason.shown : task.reason.text}</td></tr>`,
  )}</tbody></table></section>`;
}
