import { t } from '../../../platform/text/translate';
import { type Html, markup } from '../html';
import { kindOfEnd, type AttemptRow } from './attemptRows';

/** Number of rows that are shown at once, and by which "Show More" adds to them. */
export const PAGE_ROWS = 100;

/** Draws the first `limit` rows, and a button for more. */
export function drawTable(rows: readonly AttemptRow[], limit: number): Html {
  if (rows.length === 0) return markup`<p>${t('No attempt matches.')}</p>`;
  const shown = rows.slice(0, limit);
  const columns = { users: rows.some(({ user }) => user !== ''), payers: listPayers(rows).length > 1 };
  const left = rows.length - shown.length;
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${t('Attempts')}"><table>
<thead>${drawHead(columns)}</thead>
<tbody>${shown.map((row) => drawRow(row, columns))}</tbody></table></div>
<p>${describePart(shown.length, rows.length)}${
    left === 0
      ? null
      : markup` <button class="link" data-action="more" data-value="${limit + PAGE_ROWS}">${t('Show {0} More', Math.min(left, PAGE_ROWS))}</button>`
  }</p>`;
}

function describePart(shown: number, all: number): string {
  return shown === 1
    ? t('1 attempt of {0}, newest first.', all)
    : t('{0} attempts of {1}, newest first.', shown, all);
}

/** Marks of the kinds of ends: colour is never the only sign. */
const MARKS = { success: '✓', review: '?', limit: '◷', error: '✗', other: '•' } as const;

/** Columns that are shown only where they tell rows apart. */
interface Columns {
  readonly users: boolean;
  readonly payers: boolean;
}

/** Returns what these attempts were billed to, each once. */
export function listPayers(rows: readonly AttemptRow[]): readonly string[] {
  return [...new Set(rows.map(({ payer }) => payer).filter((payer) => payer !== ''))];
}

function drawHead({ payers, users }: Columns): Html {
  const text = (name: string): Html => markup`<th scope="col">${name}</th>`;
  const number = (name: string): Html => markup`<th scope="col" class="end">${name}</th>`;
  return markup`<tr>${[
    text(t('Outcome')),
    text(t('Task')),
    number(t('Attempt')),
    number(t('Started')),
    number(t('Waited')),
    number(t('Ran')),
    number(t('Cost')),
    payers ? text(t('Billed to')) : null,
    users ? text(t('User')) : null,
    text(t('Changed')),
  ]}</tr>`;
}

function drawRow(row: AttemptRow, columns: Columns): Html {
  const { attempt, key, outcome, task, started, waited, ran, cost, payer, user, changes, message } = row;
  const kind = kindOfEnd(attempt.outcome);
  return markup`<tr><td class="outcome" title="${message}"><span class="mark ${kind}" aria-hidden="true">${MARKS[kind]}</span> ${outcome}</td>
<td class="task"><button class="link" data-action="attempt" data-value="${key}" aria-label="${t('Show attempt {0} of task {1}', attempt.number, task)}">${task}</button></td>
<td class="end">${attempt.number}</td><td class="end">${started}</td><td class="end">${waited}</td><td class="end">${ran}</td><td class="end">${cost}</td>${
    columns.payers ? markup`<td>${payer}</td>` : null
  }${columns.users ? markup`<td>${user}</td>` : null}<td>${
    changes === ''
      ? null
      : markup`<button class="link" data-action="changes" data-value="${key}" aria-label="${t('Show changes of task {0}, attempt {1}: {2}', attempt.id, attempt.number, changes)}">${changes}</button>`
  }</td></tr>`;
}
