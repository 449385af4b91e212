import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import type { TaskId } from '../../../domain/task/task';
import type { RowContext } from '../../../queue/row/rowContext';
import type { ExtensionServices } from '../../state/extensionServices';
import { viewModelOf, type QueueState } from '../../state/queueState';
import { bindTarget } from '../../state/queueTarget';
import { commandId } from '../../commandIds';
import { toEditorRange } from '../document/editorRange';
import type { QueueDocument } from '../document/queueDocument';
import type { TextRange } from '../document/textRange';
import { findContext } from '../findContext';
import { CSV_FILES, parseQueueFile } from '../parseQueueFile';
import type { FixContext } from './columnFixes';
import type { FixableProblem } from './fix';
import { CREATE_FOLDER } from './folderCreation';
import { createPromptMove } from './movePromptActions';
import { t } from '../../../platform/text/translate';

/** Creates quick fixes for the problems of the queue file, saved or not, and for a working directory that is missing. */
export function createFixes(services: ExtensionServices): vscode.Disposable {
  const { queueModel, queueFile, key } = services;
  const provideCodeActions = async (
    open: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> => {
    const document = await parseQueueFile(open, queueFile);
    const queueContext = document === null ? null : await findContext(services);
    if (document === null || queueContext === null) return [];
    const rows = queueContext.rowContext();
    const { tasks = [] } = viewModelOf(queueModel.state) ?? {};
    const taken = tasks.map(({ task }) => task.definition.id);
    const problems = await findProblems(document, open, range, {
      ...{ rows, moment: queueContext.moment(), taken },
      readPastIds: () => readPastIds(services),
    });
    const near = problems.filter((problem) => toEditorRange(problem.range).intersection(range) !== undefined);
    return [
      ...near.flatMap((problem) => toActions(open.uri, problem, diagnostics)),
      ...(open.isDirty ? [] : await offerForm(document, range, { key, state: queueModel.state })),
      ...(await offerFolder(document, range, rows)),
    ];
  };
  const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
  return vscode.Disposable.from(
    vscode.languages.registerCodeActionsProvider(CSV_FILES, { provideCodeActions }, kinds),
    createPromptMove(services),
  );
}

/** Returns the ids under which attempts are recorded, also those of removed tasks. */
async function readPastIds({ queueModel }: ExtensionServices): Promise<ReadonlySet<TaskId>> {
  if (viewModelOf(queueModel.state) === null) return new Set();
  const session = await queueModel.useQueue();
  return session.use(async () => new Set((await session.queue.attempts({})).map(({ id }) => id)));
}

interface Surroundings extends Omit<FixContext, 'freeId'> {
  /** Ids of the tasks. */
  readonly taken: readonly TaskId[];
  readonly readPastIds: () => Promise<ReadonlySet<TaskId>>;
}

async function findProblems(
  document: QueueDocument,
  open: vscode.TextDocument,
  { start, end }: vscode.Range,
  { taken, readPastIds: readPast, ...around }: Surroundings,
): Promise<readonly FixableProblem[]> {
  const textIn = (range: TextRange): string => open.getText(toEditorRange(range));
  const { columnProblems, headerProblem } = await import('./headerFixes');
  if (!document.file.whole) {
    const problem = headerProblem(document, open.getText(), textIn);
    // The whole file has the problem, wherever the cursor is.
    return problem === null ? [] : [{ ...problem, range: { start, end } }];
  }
  const { findFixes, findFreeId } = await import('./findFixes');
  const rows = document.rowsBetween(start.line, end.line);
  let freeId = findFreeId(document, taken);
  // A new id must have no history, which its row would get.
  const needsId = rows.some(({ id }) => id === null || document.isDouble(id));
  const past = needsId ? await readPast() : new Set<TaskId>();
  while (past.has(freeId)) freeId += 1;
  const context = { ...around, freeId };
  return [...columnProblems(document), ...rows.flatMap((row) => findFixes(document, row, textIn, context))];
}

function toActions(
  uri: vscode.Uri,
  { range, fixes, isSure }: FixableProblem,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  const solved = diagnostics.filter((one) => one.range.intersection(toEditorRange(range)) !== undefined);
  return fixes.map(({ title, edits }, index) => {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.edit = new vscode.WorkspaceEdit();
    for (const edit of edits) action.edit.replace(uri, toEditorRange(edit.range), edit.text);
    action.diagnostics = solved;
    action.isPreferred = isSure && index === 0;
    return action;
  });
}

/** Offers the form for the row at the cursor, if it is an invalid one that can be written by its id. */
async function offerForm(
  document: QueueDocument,
  { start }: vscode.Range,
  { key, state }: { readonly key: string; readonly state: QueueState },
): Promise<vscode.CodeAction[]> {
  const row = document.rowAt(start.line);
  if (row === undefined || row.id === null || document.isDouble(row.id)) return [];
  const isInvalid = viewModelOf(state)?.snapshot.invalidIds.has(row.id) === true;
  if (!isInvalid) return [];
  const { findDamage } = await import('../../../queue/csv/damagedRow');
  if (findDamage(document.file, row.record) !== null) return [];
  const action = new vscode.CodeAction(t('Edit Task…'), vscode.CodeActionKind.QuickFix);
  const target = bindTarget(key, row.id);
  action.command = { title: action.title, command: commandId('editTask'), arguments: [target] };
  return [action];
}

/** Offers to create the folder of the cell at the cursor, if it is missing. */
async function offerFolder(
  document: QueueDocument,
  { start }: vscode.Range,
  rows: RowContext,
): Promise<vscode.CodeAction[]> {
  const found = document.cellAt(start);
  const isFolder = found !== undefined && found.row !== null && found.cell.column === 'working_dir';
  if (!vscode.workspace.isTrusted || !isFolder) return [];
  const text = found.cell.text.trim();
  const { isRepository } = await import('../../../domain/task/repository');
  const { readWorkingDir } = await import('../../../queue/row/workingDir');
  const meaning = readWorkingDir(text, rows);
  if (isRepository(text) || 'wrong' in meaning || existsSync(meaning.value)) return [];
  const action = new vscode.CodeAction(t('Create Folder {0}', text), vscode.CodeActionKind.QuickFix);
  action.command = { title: action.title, command: CREATE_FOLDER, arguments: [meaning.value] };
  action.isPreferred = true;
  return [action];
}
