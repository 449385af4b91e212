import { t } from '../../../platform/text/translate';
import { type Html, markup } from '../html';
import { drawFigure, type Figure } from './chart';
import { drawPeriods, type Period } from './periods';

/** Content of the page. */
export interface UsageContent {
  /** Sentence that says whether the account lets tasks start. */
  readonly gate: string;
  /** Sentences about the usage windows now. */
  readonly lines: readonly string[];
  readonly figures: readonly Figure[];
  /** Time of the figures, in words. */
  readonly time: string;
}

/** Draws the page around its content. */
export function drawUsagePage(content: UsageContent, period: Period): Html {
  return markup`<main>
<h1 tabindex="-1" data-focus>${t('Usage')}</h1>
<div class="tools">${drawPeriods(period)}
<button class="other" data-action="refresh">${t('Refresh')}</button>
<button class="other" data-action="history">${t('Show History')}</button></div>
<div id="content">${drawUsageContent(content)}</div>
</main>`;
}

/** Draws the content of the page. */
export function drawUsageContent({ gate, lines, figures, time }: UsageContent): Html {
  return markup`<p class="sentence" role="status">${gate}</p>
${lines.map((line) => markup`<p>${line}</p>`)}
<p><small>${t('As of {0}.', time)}</small></p>
${figures.length === 0 ? markup`<p>${t('No attempt ran in this time.')}</p>` : null}
${figures.map(drawFigure)}`;
}
