import { exampleOf } from '../../../app/present/problems/settingProblem';
import { SETTING_TEXTS } from '../../../app/present/settingTexts';
import { titleOf } from '../../../app/present/text';
import {
  describeDifferences,
  describeStart,
  listDifferences,
  listSums,
  type ComparedTask,
} from '../../../app/present/tonight/whatIfTexts';
import { isRisky, type Forecast, type TaskForecast } from '../../../app/simulate/forecast';
import type { Changes, Comparison } from '../../../app/simulate/whatIf';
import { isStructured, type SettingName } from '../../../domain/settings/settings';
import type { Moment } from '../../../domain/time/moment';
import { t } from '../../../platform/text/translate';
import { type Html, markup } from '../html';
import { drawOptions } from '../select';
import { axisOf, drawAxis, drawBar, drawName, drawRisks, drawTimes, type Axis } from './timeline';
import { CHOICES, keyOfPriority, listChanges, valuesOf, type WhatIfChoice } from './whatIfChoice';

/** Draws the fields to choose a change, and the comparison with what was chosen; null: nothing yet. */
export function drawWhatIf(
  { tasks }: Forecast,
  choice: WhatIfChoice,
  changes: Changes,
  comparison: Comparison | null,
  moment: Moment,
): Html {
  return markup`<section class="whatif"><h2>${t('What If…')}</h2>
${comparison === null ? null : drawSentences(changes, comparison, moment)}
<div class="tools"><select data-action="subject" aria-label="${t('Setting or priority')}">${drawSubjects(tasks, choice.subject)}</select>
<span id="value">${drawValue(choice)}</span>
<button class="other" data-action="compare">${comparison === null ? t('Compare') : t('Compare With This Too')}</button></div>
<div id="refused">${drawAbout(choice)}</div>
${comparison === null ? null : drawTables(comparison, moment)}</section>`;
}

function drawSubjects(tasks: readonly TaskForecast[], chosen: string): Html {
  const settings = CHOICES.map(({ name }) => [name, name] as const);
  const priorities = tasks
    .filter(({ hasEnded }) => !hasEnded)
    .map(({ id, prompt }) => [keyOfPriority(id), `${String(id)}  ${titleOf(prompt)}`] as const);
  return markup`<optgroup label="${t('Settings')}">${drawOptions(settings, chosen)}</optgroup><optgroup label="${t('Priority')}">${drawOptions(priorities, chosen)}</optgroup>`;
}

/** Draws the field for the new value. */
export function drawValue({ subject, value }: WhatIfChoice): Html {
  const label = t('New value');
  const values = valuesOf(subject);
  if (values !== null)
    return markup`<select data-action="value" aria-label="${label}">${drawOptions(
      values.map((each) => [each, each]),
      value,
    )}</select>`;
  return markup`<input data-action="value" value="${value}" spellcheck="false" placeholder="${placeholderOf(subject)}" aria-label="${label}">`;
}

function placeholderOf(subject: string): string {
  const setting = CHOICES.find(({ name }) => name === subject);
  if (setting === undefined) return '';
  return isStructured(setting) ? exampleOf(setting) : String(setting.default);
}

/** Draws the description of the chosen setting. */
export function drawAbout({ subject }: WhatIfChoice): Html {
  const text = Object.hasOwn(SETTING_TEXTS, subject) ? SETTING_TEXTS[subject as SettingName] : '';
  return markup`<small>${text}</small>`;
}

/** Draws why a change cannot be compared. */
export function drawRefused(message: string): Html {
  return markup`<p class="warning" role="status">${message}</p>`;
}

function drawSentences(changes: Changes, comparison: Comparison, moment: Moment): Html {
  const [first, ...others] = describeDifferences(comparison, moment);
  return markup`<p class="sentence" tabindex="-1" data-focus>${first ?? null}</p>
${others.length === 0 ? null : markup`<p>${others.join(' ')}</p>`}
<ul class="changes" aria-label="${t('Changes')}">${listChanges(changes).map(
    ({ subject, text }) =>
      markup`<li><code>${text}</code> <button class="link" data-action="drop" data-value="${subject}" aria-label="${t('Remove {0}', text)}">${t('Remove')}</button></li>`,
  )}</ul>`;
}

function drawTables(comparison: Comparison, moment: Moment): Html {
  const differing = listDifferences(comparison);
  return markup`<table class="sums"><thead><tr><td></td><th scope="col">${t('As it is')}</th><th scope="col">${t('With the changes')}</th></tr></thead><tbody>${listSums(
    comparison,
    moment,
  ).map(
    ({ label, now, then }) =>
      markup`<tr><th scope="row">${label}</th><td>${now}</td><td class="${now === then ? '' : 'differs'}">${then}</td></tr>`,
  )}</tbody></table>
${differing.length === 0 ? null : drawTasks(differing, comparison, moment)}`;
}

function drawTasks(tasks: readonly ComparedTask[], { now, then }: Comparison, moment: Moment): Html {
  const axis = now.isTimeKnown
    ? axisOf(now, [...tasks.map((task) => task.now), ...tasks.map((task) => task.then)])
    : null;
  const label = t('Tasks that differ');
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="timeline compared">
<thead><tr><th scope="col">${label}</th><td></td>${axis === null ? null : drawAxis(axis, moment)}<th scope="col">${t('Starts')}</th><th scope="col">${t('Completed')}</th><th scope="col">${t('Risk')}</th></tr></thead>
${tasks.map(
  (
    task,
  ) => markup`<tbody><tr class="${classOf(task.now)}"><th scope="rowgroup" rowspan="2" class="task">${drawName(task.now)}</th>${drawCells(t('As it is'), task.now, now, axis, moment)}</tr>
<tr class="then ${classOf(task.then)}">${drawCells(t('With the changes'), task.then, then, axis, moment)}</tr></tbody>`,
)}</table></div>`;
}

const classOf = (task: TaskForecast): string => (isRisky(task) ? 'risky' : '');

function drawCells(
  name: string,
  task: TaskForecast,
  forecast: Forecast,
  axis: Axis | null,
  moment: Moment,
): Html {
  return markup`<th scope="row">${name}</th>${axis === null ? null : markup`<td class="time">${drawBar(task, axis, forecast, moment)}</td>`}
${drawTimes(task, forecast, moment, describeStart(task, forecast, moment))}${drawRisks(task, moment)}`;
}
