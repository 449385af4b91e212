import { t } from '../../../platform/text/translate';
import { markup } from '../../pages/html';
import type { PageContent } from '../../pages/pageHtml';

/** Returns the empty page with its script and style: the script asks for the rest. */
export function composeAttempt(title: string, media: { script: string; style: string }): PageContent {
  return { title, body: BODY, ...media };
}

const BODY = markup`<header>
<div class="line"><h1 id="title"></h1><div id="attempts"></div></div>
<p id="verdict"></p>
<div id="actions"></div>
</header>
<main>
<section aria-labelledby="prompt-heading" class="prompt"><h2 id="prompt-heading">${t('Prompt')}</h2><div id="prompt"></div></section>
<section aria-labelledby="steps-heading"><h2 id="steps-heading">${t('Steps')}</h2><div id="notes"></div><div id="steps"></div></section>
</main>
<aside aria-labelledby="facts-heading"><h2 id="facts-heading">${t('Facts')}</h2><dl id="facts"></dl></aside>
<button type="button" id="newer" data-one="${t('↓ 1 new step')}" data-more="${t('↓ {0} new steps')}" hidden></button>
<div id="spoken" aria-live="polite"></div>`;
