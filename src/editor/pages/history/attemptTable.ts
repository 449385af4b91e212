import { count } from '../../../app/present/text';
import { type Html, markup } from '../html';
import { kindOfEnd, type AttemptRow } from './attemptRows';

/** Number of rows that are shown at once, and by which "Show More" adds to them. */
export const PAGE_ROWS = 100;

/** Draws the first `limit` rows, and a button for more. */
export function drawTable(rows: readonly AttemptRow[], limit: number): Html {
  if (rows.length === 0) return markup`<p>No attempt matches.</p>`;
  const shown = rows.slice(0, limit);
  const columns = { users: rows.some(({ user }) => user !== ''), payers: listPayers(rows).length > 1 };
  const left = rows.length - shown.length;
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Attempts"><table>
<thead><tr><th scope="col">Outcome</th><th scope="col">Task</th><th scope="col" class="end">Attempt</th><th scope="col" class="end">Started</th><th scope="col" class="end">Waited</th><th scope="col" class="end">Ran</th><th scope="col" class="end">Cost</th>${
    columns.payers ? markup`<th scope="col">Billed to</th>` : null
  }${columns.users ? markup`<th scope="col">User</th>` : null}<th scope="col">Changed</th></tr></thead>
<tbody>${shown.map((row) => drawRow(row, columns))}</tbody></table></div>
<p>${count(shown.length, 'attempt')} of ${rows.length}, newest first.${
    left === 0
      ? null
      : markup` <button class="link" data-action="more" data-value="${limit + PAGE_ROWS}">Show ${Math.min(left, PAGE_ROWS)} More</button>`
  }</p>`;
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

function drawRow(row: AttemptRow, columns: Columns): Html {
  const { attempt, key, outcome, task, started, waited, ran, cost, payer, user, changes, message } = row;
  const kind = kindOfEnd(attempt.outcome);
  return markup`<tr><td title="${message}"><span class="mark ${kind}" aria-hidden="true">${MARKS[kind]}</span> ${outcome}</td>
<td class="task"><button class="link" data-action="attempt" data-value="${key}" aria-label="${`Show attempt ${String(attempt.number)} of task ${task}`}">${task}</button></td>
<td class="end">${attempt.number}</td><td class="end">${started}</td><td class="end">${waited}</td><td class="end">${ran}</td><td class="end">${cost}</td>${
    columns.payers ? markup`<td>${payer}</td>` : null
  }${columns.users ? markup`<td>${user}</td>` : null}<td>${
    changes === ''
      ? null
      : markup`<button class="link" data-action="changes" data-value="${key}" aria-label="${`Show changes of task ${String(attempt.id)}, attempt ${String(attempt.number)}: ${changes}`}">${changes}</button>`
  }</td></tr>`;
}
