import { type Html, markup } from '../../../pages/html';
import type { LineItem, StartPageModel } from './startPageModel';
import { t } from '../../../../platform/text/translate';

/** Number of tasks that are shown at once, and of those that can be unfolded. The tree has all. */
const FIRST = 5;
const MOST = 200;

/** Draws what runs first, in running order, and what waits. */
export function drawLine({ first, later }: StartPageModel): Html {
  const more = first.slice(FIRST);
  return markup`<h2>${t('First')}</h2>
${first.length === 0 ? markup`<p>${t('No approved task can start now.')}</p>` : drawItems(first.slice(0, FIRST))}
${drawFolded(more.length === 1 ? t('1 more task') : t('{0} more tasks', more.length), more)}
${drawFolded(later.length === 1 ? t('1 task later') : t('{0} tasks later', later.length), later)}`;
}

function drawFolded(title: string, items: readonly LineItem[]): Html | null {
  if (items.length === 0) return null;
  const rest = items.length - MOST;
  return markup`<details><summary>${title}</summary>${drawItems(items.slice(0, MOST))}${
    rest > 0 ? markup`<p>${t('And {0} more: see the tree.', rest)}</p>` : null
  }</details>`;
}

function drawItems(items: readonly LineItem[]): Html {
  return markup`<ol class="line">${items.map(drawItem)}</ol>`;
}

function drawItem({ id, reason, prompt, user, doubts }: LineItem): Html {
  return markup`<li><strong>${reason}</strong> <span><button class="link" data-action="row" data-value="${id}">${`${String(id)} ${prompt}`}</button>${
    doubts === '' ? null : markup` <small>${doubts}</small>`
  }</span> <span class="user">${user}</span></li>`;
}
