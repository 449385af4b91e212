import * as vscode from 'vscode';
import { describeTaskFacts } from '../../../app/approval/taskFacts';
import { layFactsOut } from '../../../app/present/attempt';
import { describeRowProblem } from '../../../app/present/problems/rowProblem';
import type { QueueViewModel } from '../../../app/viewModel/queueViewModel';
import { type Place, Problem, rowNumberOf, type Where } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import { fields, isNumber } from '../../../platform/text/shapes';
import type { ExtensionServices } from '../../state/extensionServices';
import type { QueueModel } from '../../state/queueModel';
import { parseOpen } from '../../queueFile/document/openDocuments';
import { lastKnownOf, viewModelOf } from '../../state/queueState';
import { idOf } from './taskTarget';
import { t } from '../../../platform/text/translate';

/** Opens the queue file. @throws Problem `queue-missing` */
export async function openQueueFile(services: ExtensionServices): Promise<void> {
  await vscode.window.showTextDocument(vscode.Uri.file(fileOf(services)));
}

/** Shows the row of a task, or at a line. */
export async function showRow(services: ExtensionServices, target: unknown): Promise<void> {
  // Rows of the tree pass their line, or the place of a problem; menus pass the row itself.
  if (typeof target === 'number') return showLine(services, target);
  if (isPlace(target)) return showProblem(services, target);
  const id = idOf(target);
  const where = id === null ? undefined : viewModelOf(services.queueModel.state)?.snapshot.places.get(id);
  await showLine(services, where === undefined ? (lineOf(target) ?? 1) : rowNumberOf(where));
}

/** Puts the cursor at a cell that cannot be read: the user corrects it next. */
async function showProblem(services: ExtensionServices, { line, column }: Place): Promise<void> {
  const document = await vscode.workspace.openTextDocument(fileOf(services));
  const at = document.validatePosition(new vscode.Position(line - 1, column - 1));
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
}

const isPlace = fields<Place>({ line: isNumber, column: isNumber });

/** Shows the row that the queue has on a line of the file, or a row in Redis, from 1, and leaves the focus where it is. */
export async function showLine(services: ExtensionServices, line: number): Promise<void> {
  if (services.redis !== null) return showText(services, line);
  const document = await vscode.workspace.openTextDocument(fileOf(services));
  const now = document.isDirty ? findMoved(services, document, line) : line;
  const at = new vscode.Position(Math.min(now, document.lineCount) - 1, 0);
  const selection = new vscode.Range(at, at);
  const editor = await vscode.window.showTextDocument(document, { preserveFocus: true, selection });
  editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Returns where a document with unsaved changes has the task that the saved file has on a line; that line if it is not clear. */
function findMoved({ queueModel }: ExtensionServices, document: vscode.TextDocument, line: number): number {
  const places = viewModelOf(queueModel.state)?.snapshot.places ?? new Map<TaskId, Where>();
  const [id] = [...places].find(([, where]) => rowNumberOf(where) === line) ?? [];
  const [row, ...others] = id === undefined ? [] : parseOpen(document).rowsOf(id);
  return row === undefined || others.length > 0 ? line : row.line + 1;
}

/** Shows the whole text of a row that is in no file. */
async function showText({ queueModel, texts }: ExtensionServices, row: number): Promise<void> {
  const { tasks, snapshot, world } = lastKnownOf(queueModel.state)?.viewModel ?? (await look(queueModel));
  const shown = tasks.find(({ task }) => rowNumberOf(snapshot.places.get(task.definition.id)) === row);
  if (shown !== undefined) {
    const { definition } = shown.task;
    const facts = layFactsOut(describeTaskFacts(shown, world.timeZone));
    return texts.show(t('Task {0}', definition.id), `${facts}\n\n${definition.prompt.trimEnd()}\n`);
  }
  const wrong = snapshot.problems.filter((one) => one.row === row);
  await texts.show(t('Row {0}', row), wrong.map((one) => `${describeRowProblem(one)}\n`).join(''));
}

async function look(queueModel: QueueModel): Promise<QueueViewModel> {
  const session = await queueModel.useQueue();
  return session.use(() => session.look());
}

function lineOf(target: unknown): number | undefined {
  if (typeof target !== 'object' || target === null || !('line' in target)) return undefined;
  return typeof target.line === 'number' ? target.line : undefined;
}

function fileOf({ queueFile }: ExtensionServices): string {
  if (queueFile !== null) return queueFile;
  throw new Problem('queue-missing', t('Open a folder first: the queue is kept in it.'));
}
