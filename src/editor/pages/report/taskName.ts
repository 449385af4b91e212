import { nameTask } from '../../../app/present/report/needTexts';
import type { ReportedTask } from '../../../app/viewModel/report/reportedTask';
import { revealInvisible } from '../../../platform/text/invisible';
import { type Html, markup } from '../html';

/** Draws the name of a task: a button that opens its row, if it still exists. */
export function drawName(task: ReportedTask): Html {
  const name = `${String(task.id)}  ${revealInvisible(nameTask(task))}`;
  if (task.view === null) return markup`<span>${name}</span>`;
  return markup`<button class="link" data-action="row" data-value="${task.id}">${name}</button>`;
}
