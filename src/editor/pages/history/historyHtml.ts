import { describeOutcomes, formatCost, formatRunTime } from '../../../app/present/counts';
import {
  computeStatistics,
  type AttemptStatistics,
  type Spread,
} from '../../../app/viewModel/attemptStatistics';
import { composeDays, type Cost } from '../../../app/viewModel/ledger';
import { formatDuration } from '../../../domain/time/duration';
import { formatUsd } from '../../../domain/usd';
import { t } from '../../../platform/text/translate';
import { type Html, markup } from '../html';
import type { AttemptRow } from './attemptRows';
import { drawTable, listPayers } from './attemptTable';
import { drawFigure } from './chart';
import { drawDays } from './dayFigures';
import { drawPeriods, type Period } from './periods';

/** Draws the page around its content. */
export function drawHistory(content: Html, { period, filter }: { period: Period; filter: string }): Html {
  return markup`<main>
<h1 tabindex="-1" data-focus>${t('History')}</h1>
<div class="tools">${drawPeriods(period)}
<input type="search" data-action="filter" value="${filter}" placeholder="${t('Filter by task, outcome, message…')}" aria-label="${t('Filter attempts')}">
<button class="other" data-action="refresh">${t('Refresh')}</button>
<button class="other" data-action="usage">${t('Show Usage')}</button></div>
<div id="content">${content}</div>
</main>`;
}

/** Draws what the rows say: numbers, pictures and the table of its first `limit` rows. */
export function drawContent(rows: readonly AttemptRow[], limit: number, timeZone: string): Html {
  const attempts = rows.map(({ attempt }) => attempt);
  if (attempts.length === 0)
    return markup`<p class="sentence">${t('No attempts.')}</p><p>${t('Nothing ran in this time, or no attempt matches the filter.')}</p>`;
  const days = composeDays(attempts, timeZone);
  return markup`${drawNumbers(computeStatistics(attempts), listPayers(rows))}
${days.length < 2 ? null : markup`<div class="figures">${drawDays(days).map(drawFigure)}</div>`}
<section id="table" aria-label="${t('Attempts')}">${drawTable(rows, limit)}</section>`;
}

function drawNumbers(statistics: AttemptStatistics, payers: readonly string[]): Html {
  const { attempts, outcomes, waitedMs, ranMs } = statistics;
  const ran = formatRunTime(statistics);
  return markup`<p class="sentence" role="status">${describeEnds(attempts, describeOutcomes(outcomes))}</p>
<dl class="numbers">${[
    drawSpread(t('Waited'), waitedMs),
    drawSpread(t('Ran'), ranMs),
    ran === '' ? null : drawNumber(t('Ran in all'), ran, ''),
    drawNumber(
      payers.length === 1 ? t('Cost, billed to {0}', payers.join('')) : t('Cost'),
      formatCost(statistics),
      describeMeanCost(statistics),
    ),
  ]}</dl>`;
}

function describeMeanCost({ attempts, attemptsWithoutCost, costUsd }: Cost): string {
  const reported = attempts - attemptsWithoutCost;
  return reported === 0 ? '' : t('{0} an attempt', formatUsd(costUsd / reported));
}

function describeEnds(attempts: number, outcomes: string): string {
  return attempts === 1 ? t('1 attempt: {0}.', outcomes) : t('{0} attempts: {1}.', attempts, outcomes);
}

function drawSpread(name: string, spread: Spread | null): Html | null {
  if (spread === null) return null;
  return drawNumber(t('{0}, p50', name), formatDuration(spread.p50), `p95 ${formatDuration(spread.p95)}`);
}

function drawNumber(name: string, value: string, more: string): Html {
  return markup`<div><dt>${name}</dt><dd>${value}</dd>${more === '' ? null : markup`<dd>${more}</dd>`}</div>`;
}
