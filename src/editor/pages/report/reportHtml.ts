import {
  describeGaps,
  describeLimits,
  describeMadeWay,
  describeSkips,
} from '../../../app/present/report/nightTexts';
import { describeNeed, RISK_NAMES } from '../../../app/present/report/needTexts';
import {
  describeAccepted,
  describeAttemptCounts,
  describeCost,
  describeForecast,
  describePeriod,
  describeStop,
  describeTaskCounts,
  summarizeReport,
} from '../../../app/present/report/reportTexts';
import type { TaskAction } from '../../../app/viewModel/possibleActions';
import type { NightReport, Stop } from '../../../app/viewModel/report/nightReport';
import type { ReportedTask } from '../../../app/viewModel/report/reportedTask';
import { isListedTogether, needsAction, type Need } from '../../../app/viewModel/report/risk';
import { revealInvisible } from '../../../platform/text/invisible';
import { t } from '../../../platform/text/translate';
import { type Html, markup } from '../html';
import { drawHours } from './hours';
import { drawNight } from './nightTable';
import { drawName } from './taskName';

/** Draws the page around its content. */
export function drawReportPage(content: Html, hours: number): Html {
  return markup`<main>
<div id="content">${content}</div>
<div class="tools">${drawHours(hours)}<button class="other" data-action="refresh">${t('Refresh')}</button><button class="other" data-action="history">${t('Show History')}</button></div>
</main>`;
}

/** Draws a report: what to do, with buttons; then what was done; then the night. */
export function drawContent(report: NightReport): Html {
  const must = report.needs.filter(({ risk }) => needsAction(risk));
  const looks = report.needs.filter(({ risk }) => !needsAction(risk));
  const counts = [
    describeTaskCounts(report),
    describeAttemptCounts(report),
    ...[describeCost(report), describeAccepted(report), describeForecast(report)].filter(
      (text) => text !== null,
    ),
  ];
  return markup`<h1 tabindex="-1" data-focus>${summarizeReport(report)}</h1>
<p class="period">${describePeriod(report)}</p>
${drawNeeds(t('Needs Attention'), report.stops, must)}
${drawNeeds(t('Worth a Look'), [], looks)}
<section><h2>${t('Summary')}</h2>${counts.map((text) => markup`<p>${text}</p>`)}</section>
${drawNight(report)}
${drawList(t('Nothing Ran'), describeGaps(report))}
${drawList(t('Usage Limits'), describeLimits(report))}
${drawList(t('Stopped for Critical Tasks'), describeMadeWay(report))}
${drawList(t('Skipped Due Times'), describeSkips(report))}`;
}

function drawList(title: string, texts: readonly string[]): Html | null {
  if (texts.length === 0) return null;
  return markup`<section><h2>${title}</h2><ul>${texts.map((text) => markup`<li>${revealInvisible(text)}</li>`)}</ul></section>`;
}

function drawNeeds(title: string, stops: readonly Stop[], needs: readonly Need[]): Html | null {
  if (stops.length + needs.length === 0) return null;
  return markup`<section><h2>${title}</h2><ul class="needs">${stops.map(drawStop)}${needs.map(drawNeed)}</ul></section>`;
}

/** Buttons that end what stops the queue. */
const STOP_BUTTONS: Readonly<Record<Stop['kind'], readonly (readonly [action: string, label: string])[]>> = {
  'sign-in': [
    ['signIn', t('Sign In…')],
    ['resume', t('Resume Queue')],
  ],
  account: [['resume', t('Resume Queue')]],
  settings: [['checkMachine', t('Check This Machine')]],
  paused: [['resume', t('Resume Queue')]],
  reviews: [['review', t('Review Tasks…')]],
  worker: [['start', t('Start…')]],
  rows: [['openQueueFile', t('Open Queue File')]],
};

function drawStop(stop: Stop): Html {
  const [first, ...others] = STOP_BUTTONS[stop.kind];
  return markup`<li class="stop"><div class="what"><p class="warning">${revealInvisible(describeStop(stop))}</p></div><div class="buttons">${
    first === undefined ? null : markup`<button class="main" data-action="${first[0]}">${first[1]}</button>`
  }${others.map(([action, label]) => markup`<button class="other" data-action="${action}">${label}</button>`)}</div></li>`;
}

/** Labels of the buttons, and their names for screen readers. */
const BUTTONS: Readonly<
  Partial<Record<TaskAction, { readonly label: string; readonly name: (id: number) => string }>>
> = {
  showChanges: { label: t('Show Changes'), name: (id) => t('Show changes of task {0}', id) },
  showOutput: { label: t('Show Attempt'), name: (id) => t('Show the attempt of task {0}', id) },
  accept: { label: t('Accept'), name: (id) => t('Accept task {0}', id) },
  allow: {
    label: t('Allow and Retry…'),
    name: (id) => t('Allow what task {0} was refused, and retry it', id),
  },
  retry: { label: t('Retry'), name: (id) => t('Retry task {0}', id) },
  answer: { label: t('Answer…'), name: (id) => t('Answer task {0}', id) },
  approve: { label: t('Approve…'), name: (id) => t('Approve task {0}', id) },
  edit: { label: t('Edit Task…'), name: (id) => t('Edit Task {0}', id) },
};

/** Most buttons of one task. The task's own menu has the others. */
const MOST_BUTTONS = 3;

function drawNeed(need: Need): Html {
  const { risk, task, actions } = need;
  const details = isListedTogether(risk) ? describeNeed(need).slice(-1) : describeNeed(need);
  return markup`<li><div class="what"><span class="risk ${risk}">${RISK_NAMES[risk]}</span> ${drawName(task)}
<p class="details">${revealInvisible(details.join(' · '))}</p></div><div class="buttons">${actions
    .slice(0, MOST_BUTTONS)
    .map((action) => drawButton(action, task))}</div></li>`;
}

function drawButton(action: TaskAction, { id }: ReportedTask): Html | null {
  const button = BUTTONS[action];
  if (button === undefined) return null;
  return markup`<button class="other" data-action="${action}" data-value="${id}" aria-label="${button.name(id)}">${button.label}</button>`;
}
