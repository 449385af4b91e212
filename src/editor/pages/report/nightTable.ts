import { formatCost } from '../../../app/present/counts';
import { describeGapCauses, describeTimes } from '../../../app/present/report/nightTexts';
import { describeCause } from '../../../app/present/report/needTexts';
import { END_NAMES, formatChanges } from '../../../app/present/report/reportTexts';
import { formatPastTime } from '../../../app/present/reasons/amounts';
import { nameEnd } from '../../../app/present/attempt';
import type { NightReport } from '../../../app/viewModel/report/nightReport';
import type { ReportedTask } from '../../../app/viewModel/report/reportedTask';
import type { Claim } from '../../../domain/queue/view';
import type { Attempt } from '../../../domain/task/attempt';
import { revealInvisible } from '../../../platform/text/invisible';
import { t } from '../../../platform/text/translate';
import { drawAxisLabels } from '../axisLabels';
import { type Html, markup } from '../html';
import { kindOfEnd } from '../history/attemptRows';
import { drawLegend, kindOfClaim } from './legend';
import { drawName } from './taskName';

/** Width of the time axis, in units of the picture. */
const WIDTH = 1000;

/** Draws the tasks as a timeline that is a table: the bars say nothing that the cells do not. */
export function drawNight(report: NightReport): Html | null {
  const { tasks } = report;
  if (tasks.length === 0) return null;
  const span = spanOf(report);
  const gaps = report.gaps.filter(({ to }) => to > span.from);
  return markup`<section><h2>${t('Tasks')}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="${t('Timeline')}"><table>
<thead><tr><th scope="col">${t('Task')}</th><th scope="col">${t('State')}</th><th scope="col" class="time"><div class="hours" aria-hidden="true">${drawAxisLabels(span.from, span.to, report)}</div></th><th scope="col" class="end">${t('Ended')}</th><th scope="col" class="end">${t('Attempts')}</th><th scope="col" class="end">${t('Cost')}</th><th scope="col" class="end">${t('Refused')}</th><th scope="col">${t('Changed')}</th></tr></thead>
<tbody>${tasks.map((task) => drawRow(task, { ...report, gaps }, span))}</tbody></table></div>
${drawLegend(tasks, gaps)}</section>`;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the part of the period in which there was something to see: from the first start, or a later gap. */
function spanOf({ tasks, from, until }: NightReport): Span {
  const starts = tasks.flatMap(({ attempts, view }) => [
    ...attempts.map(({ startedAt }) => startedAt),
    ...(view?.task.claim === undefined ? [] : [view.task.claim.at]),
  ]);
  const first = starts.reduce((least, at) => Math.min(least, at), until - 1);
  return { from: Math.max(from, first), to: until };
}

function drawRow(task: ReportedTask, report: NightReport, span: Span): Html {
  const last = task.attempts.at(-1);
  return markup`<tr><td class="task">${drawName(task)}${drawCause(task)}</td><td class="words"><span class="state ${task.end}">${END_NAMES[task.end]}</span></td>
<td class="time">${drawBars(task, report, span)}</td>
<td class="end">${last === undefined ? '' : formatPastTime(last.endedAt, report)}</td><td class="end">${task.attempts.length}</td><td class="end words">${formatCost(task.sums)}</td><td class="end">${task.denials.length === 0 ? '' : task.denials.length}</td><td class="words">${formatChanges(task)}</td></tr>`;
}

/** The cause, below the name, in one line; its hover has all of it. */
function drawCause(task: ReportedTask): Html {
  const cause = revealInvisible(describeCause(task));
  return markup`<div class="cause" title="${cause}">${cause}</div>`;
}

/** Bars of the attempts, and dotted lines for the times in which nothing ran: their whole height has the hover. */
function drawBars({ attempts, view }: ReportedTask, report: NightReport, span: Span): Html {
  const x = (at: number): number =>
    Math.round(((Math.min(Math.max(at, span.from), span.to) - span.from) / (span.to - span.from)) * WIDTH);
  const width = (from: number, to: number): number => Math.max(x(to) - x(from), 4);
  const claim = view?.task.claim;
  return markup`<svg viewBox="0 0 ${WIDTH} 16" preserveAspectRatio="none" aria-hidden="true" focusable="false">${report.gaps.map(
    (gap) =>
      markup`<g><title>${describeTimes(gap, report)}: ${describeGapCauses(gap, report)}</title><rect class="ground" x="${x(gap.from)}" y="0" height="16" width="${width(gap.from, gap.to)}"></rect><path class="gap" d="M${x(gap.from)} 8h${width(gap.from, gap.to)}"></path></g>`,
  )}${attempts.map(
    (attempt) =>
      markup`<rect class="${kindOfEnd(attempt.outcome)}" x="${x(attempt.startedAt)}" y="3" height="10" width="${width(attempt.startedAt, attempt.endedAt)}"><title>${describeBar(attempt, report)}</title></rect>`,
  )}${claim === undefined ? null : markup`<rect class="${kindOfClaim(claim)}" x="${x(claim.at)}" y="3" height="10" width="${width(claim.at, span.to)}"><title>${describeRunning(claim, report)}</title></rect>`}</svg>`;
}

function describeRunning(claim: Claim, report: NightReport): string {
  return t('Attempt {0}: running since {1}', claim.attempt, formatPastTime(claim.at, report));
}

function describeBar(attempt: Attempt, report: NightReport): string {
  const { number, startedAt, endedAt } = attempt;
  const times = t('{0} to {1}', formatPastTime(startedAt, report), formatPastTime(endedAt, report));
  return t('Attempt {0}: {1}, {2}', number, nameEnd(attempt), times);
}
