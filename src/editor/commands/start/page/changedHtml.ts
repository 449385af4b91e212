import { type Html, markup } from '../../../pages/html';
import type { CellDiff } from './rowDiff';
import type { ChangedItem, StartPageModel } from './startPageModel';
import { t } from '../../../../platform/text/translate';

/** Draws the rows that wait for approval, each with a box and its difference; null if there are none. */
export function drawChanged({ changed }: StartPageModel): Html | null {
  if (changed.length === 0) return null;
  const none = t('{0}, none ticked', changed.length);
  const some = t('{0}, of which {n} ticked', changed.length);
  return markup`<section><h2>${t('New or changed since you approved them')} <small data-none="${none}" data-some="${some}">${none}</small></h2>
<p>${t('Read each one. A ticked task may then run unattended on this machine, exactly as shown.')}</p>
<ul class="changed">${changed.map(drawRow)}</ul></section>`;
}

function drawRow({ id, key, kind, facts, warnings, cells }: ChangedItem): Html {
  const name = String(id);
  return markup`<li><div class="head"><input type="checkbox" id="${`tick-${name}`}" data-key="${key}" aria-describedby="${`facts-${name}`}">
<div><label for="${`tick-${name}`}"><strong>${name}</strong> ${kind}</label> <span id="${`facts-${name}`}"><small>${facts}</small>${warnings.map(
    (text) => markup` <span class="warning">${text}</span>`,
  )}</span></div>
<button class="link" data-action="row" data-value="${id}" aria-label="${t('Show row of task {0}', id)}">${t('Show Row')}</button></div>
${cells.map((cell) => drawCell(cell, name))}</li>`;
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;
/** Words of a screen reader before a line. */
const SPOKEN = { same: '', removed: `${t('removed:')} `, added: `${t('added:')} ` } as const;

function drawCell({ column, lines }: CellDiff, name: string): Html {
  return markup`<h3>${column}</h3><div class="diff" tabindex="0" role="region" aria-label="${t('{0} of task {1}', column, name)}">${lines.map(
    ({ kind, text }) =>
      markup`<pre class="${kind}"><span aria-hidden="true">${SIGNS[kind]} </span><span class="spoken">${SPOKEN[kind]}</span>${text}</pre>`,
  )}</div>`;
}
