import { describeOutcomes } from '../../../app/present/counts';
import { count } from '../../../app/present/text';
import {
  computeStatistics,
  type AttemptStatistics,
  type Spread,
} from '../../../app/viewModel/attemptStatistics';
import { composeDays } from '../../../app/viewModel/ledger';
import { formatDuration } from '../../../domain/time/duration';
import { formatUsd } from '../../../domain/usd';
import { type Html, markup } from '../html';
import type { AttemptRow } from './attemptRows';
import { drawTable, listPayers } from './attemptTable';
import { drawFigure } from './chart';
import { drawDays } from './dayFigures';
import { drawPeriods, type Period } from './periods';

/** Draws the page around its content. */
export function drawHistory(content: Html, { period, filter }: { period: Period; filter: string }): Html {
  return markup`<main>
<h1 tabindex="-1" data-focus>History</h1>
<div class="tools">${drawPeriods(period)}
<input type="search" data-action="filter" value="${filter}" placeholder="Filter by task, outcome, message…" aria-label="Filter attempts">
<button class="other" data-action="refresh">Refresh</button>
<button class="other" data-action="usage">Show Usage</button></div>
<div id="content">${content}</div>
</main>`;
}

/** Draws what the rows say: numbers, pictures and the table of its first `limit` rows. */
export function drawContent(rows: readonly AttemptRow[], limit: number, timeZone: string): Html {
  const attempts = rows.map(({ attempt }) => attempt);
  if (attempts.length === 0)
    return markup`<p class="sentence">No attempts.</p><p>Nothing ran in this time, or no attempt matches the filter.</p>`;
  const days = composeDays(attempts, timeZone);
  return markup`${drawNumbers(computeStatistics(attempts), listPayers(rows))}
${days.length < 2 ? null : markup`<div class="figures">${drawDays(days).map(drawFigure)}</div>`}
<section id="table" aria-label="Attempts">${drawTable(rows, limit)}</section>`;
}

function drawNumbers(statistics: AttemptStatistics, payers: readonly string[]): Html {
  const { attempts, outcomes, waitedMs, ranMs, ms, costUsd } = statistics;
  return markup`<p class="sentence" role="status">${count(attempts, 'attempt')}: ${describeOutcomes(outcomes)}.</p>
<dl class="numbers">${[
    drawSpread('Waited', waitedMs),
    drawSpread('Ran', ranMs),
    drawNumber('Ran in all', formatDuration(ms), ''),
    drawNumber(
      payers.length === 1 ? `Cost, billed to ${payers.join('')}` : 'Cost',
      formatUsd(costUsd),
      `${formatUsd(costUsd / attempts)} an attempt`,
    ),
  ]}</dl>`;
}

function drawSpread(name: string, spread: Spread | null): Html | null {
  if (spread === null) return null;
  return drawNumber(`${name}, p50`, formatDuration(spread.p50), `p95 ${formatDuration(spread.p95)}`);
}

function drawNumber(name: string, value: string, more: string): Html {
  return markup`<div><dt>${name}</dt><dd>${value}</dd>${more === '' ? null : markup`<dd>${more}</dd>`}</div>`;
}
