import {
  describeAssumedWorker,
  describeBasis,
  describeNight,
  describeWait,
  listUnsettled,
  summarizeForecast,
} from '../../../app/present/tonight/forecastTexts';
import { STATE_NAMES } from '../../../app/present/reasons/stateNames';
import { isRisky, type Forecast, type TaskForecast } from '../../../app/simulate/forecast';
import { formatTime, type Moment } from '../../../domain/time/moment';
import { t } from '../../../platform/text/translate';
import { type Html, markup } from '../html';
import { axisOf, drawAxis, drawBar, drawName, drawRisks, drawTimes, type Axis } from './timeline';

/** Part of the page that compares. */
export interface WhatIfPart {
  readonly html: Html;
  /** Whether the focus goes to its sentence instead of the title. */
  readonly hasFocus: boolean;
}

/**
 * Draws a forecast: what to settle first, then the part that compares, a timeline that is a table, and the tasks that do
 * not start.
 */
export function drawTonight(forecast: Forecast, moment: Moment, whatIf: WhatIfPart): Html {
  const byId = new Map(forecast.tasks.map((task) => [task.id, task]));
  const started = forecast.order.flatMap((id) => byId.get(id) ?? []);
  const others = forecast.tasks.filter(({ start, reason }) => start === null && reason.state !== 'completed');
  return markup`<main>
<h1 tabindex="-1"${whatIf.hasFocus ? null : FOCUS}>${summarizeForecast(forecast, moment)}</h1>
${[...describeAssumedWorker(forecast, moment), ...describeNight(forecast, moment)].map((text) => markup`<p>${text}</p>`)}
<div class="tools"><button class="other" data-action="refresh">${t('Refresh')}</button><button class="other" data-action="rehearse">${t('Dry Run')}</button><small>${t('As of {0}.', formatTime(forecast.from, moment))}</small></div>
${drawUnsettled(forecast)}
${whatIf.html}
${started.length === 0 ? null : drawTimeline(started, forecast, moment)}
${others.length === 0 ? null : drawOthers(others)}
${describeBasis(forecast).map((text) => markup`<p><small>${text}</small></p>`)}
</main>`;
}

const FOCUS = markup` data-focus`;

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

function drawTimeline(tasks: readonly TaskForecast[], forecast: Forecast, moment: Moment): Html {
  const axis = forecast.isTimeKnown ? axisOf(forecast, tasks) : null;
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${t('Timeline')}"><table class="timeline">
<thead><tr><th scope="col">${t('Task')}</th>${axis === null ? null : drawAxis(axis, moment)}<th scope="col">${t('Starts')}</th><th scope="col">${t('Completed')}</th><th scope="col" class="end">${t('Attempts')}</th><th scope="col">${t('Risk')}</th><th scope="col">${t('Why not earlier')}</th></tr></thead>
<tbody>${tasks.map((task) => drawRow(task, forecast, axis, moment))}</tbody></table></div>`;
}

function drawRow(task: TaskForecast, forecast: Forecast, axis: Axis | null, moment: Moment): Html {
  const bar = axis === null ? null : markup`<td class="time">${drawBar(task, axis, forecast, moment)}</td>`;
  return markup`<tr class="${isRisky(task) ? 'risky' : ''}"><td class="task">${drawName(task)}</td>${bar}
${drawTimes(task, forecast, moment)}<td class="end" data-name="${t('Attempts')}">${task.attempts}</td>${drawRisks(task, moment)}<td class="words" data-name="${t('Why not earlier')}">${describeWait(task)}</td></tr>`;
}

function drawOthers(tasks: readonly TaskForecast[]): Html {
  return markup`<section><h2>${t('Will Not Start')}</h2><table><tbody>${tasks.map(
    (task) =>
      markup`<tr><td class="task">${drawName(task)}</td><td class="words">${task.reason.text === '' ? STATE_NAMES[task.reason.state] : task.reason.text}</td></tr>`,
  )}</tbody></table></section>`;
}
