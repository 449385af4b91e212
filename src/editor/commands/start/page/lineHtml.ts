import { count } from '../../../../app/present/text';
import { type Html, markup } from '../../../pages/html';
import type { LineItem, StartPageModel } from './startPageModel';

/** Number of tasks that are shown at once, and of those that can be unfolded. The tree has all. */
const FIRST = 5;
const MOST = 200;

/** Draws what runs first, in running order, and what waits. */
export function drawLine({ first, later }: StartPageModel): Html {
  const more = first.slice(FIRST);
  return markup`<h2>First</h2>
${first.length === 0 ? markup`<p>No approved task can start now.</p>` : drawItems(first.slice(0, FIRST))}
${drawFolded(count(more.length, 'more task'), more)}
${drawFolded(`${count(later.length, 'task')} later`, later)}`;
}

function drawFolded(title: string, items: readonly LineItem[]): Html | null {
  if (items.length === 0) return null;
  const rest = items.length - MOST;
  return markup`<details><summary>${title}</summary>${drawItems(items.slice(0, MOST))}${
    rest > 0 ? markup`<p>${`And ${String(rest)} more: see the tree.`}</p>` : null
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
