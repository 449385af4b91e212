import * as path from 'node:path';
import * as vscode from 'vscode';
import { type UndoResult, undoTask } from '../../../app/actions/undo/undoTask';
import { describeError } from '../../../app/present/problems/problem';
import {
  askToUndo,
  describeDependents,
  describeKept,
  describeUndid,
  describeUndoDetails,
  describeUndoOverlap,
} from '../../../app/present/undo';
import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import { possibleActions } from '../../../app/viewModel/possibleActions';
import { isProblem, Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import { realFolder } from '../../../platform/files/paths';
import { t } from '../../../platform/text/translate';
import type { ExtensionServices } from '../../state/extensionServices';
import { addFolderName } from '../../state/folderName';
import { attemptOf, chooseTask } from './taskTarget';
import { showError, showInformation, showWarning } from '../../messages';

/** Most files that a dialog names. */
const MOST_FILES = 15;

/** Restores the files that a task changed, or one of its attempts, after the user agrees. */
export async function undoChanges(services: ExtensionServices, target: unknown): Promise<void> {
  const suits = (shown: TaskViewModel): boolean => possibleActions(shown).has('undo');
  const id = await chooseTask(services, target, { title: t('Undo Changes'), suits });
  if (id === null) return;
  const notes: string[] = [];
  const request = {
    id,
    ...numberOf(target),
    isDryRun: false,
    confirm: (planned: UndoResult) => confirm(services, id, planned),
  };
  try {
    const result = await services.queueModel.change(({ queueContext, queue }) =>
      undoTask(queueContext, queue, request, (note) => {
        notes.push(note);
        services.log.warn(note);
      }),
    );
    if (notes.length > 0) void showWarning(notes.join(' '));
    if (result === null) return;
    if (result.overlaps.length > 0) throw new Problem('conflict', describeUndoOverlap(id, result));
    const kept = result.kept === null ? [] : [`${describeKept(result.kept)}.`];
    void showInformation([describeUndid(id, result), ...kept, ...describeDependents(id, result)].join(' '));
  } catch (error) {
    if (!(await showRefusal(services, error))) throw error;
  }
}

function numberOf(target: unknown): { readonly number?: number } {
  const number = attemptOf(target);
  return number === null ? {} : { number };
}

/** Lists what would be done, and asks. @throws Problem `conflict` if an editor has unsaved changes of a file */
async function confirm(services: ExtensionServices, id: TaskId, planned: UndoResult): Promise<boolean> {
  refuseUnsaved(planned);
  const undo = t('Undo Changes');
  const question = addFolderName(services, askToUndo(id, planned));
  const detail = describeUndoDetails(id, planned, MOST_FILES).join('\n');
  return (await showWarning(question, { modal: true, detail }, undo)) === undo;
}

/** An unsaved editor would not show what an undo wrote, and would write over it. */
function refuseUnsaved({ top, files }: UndoResult): void {
  const changed = new Set(files.map((file) => path.join(top, file.path)));
  const unsaved = vscode.workspace.textDocuments
    .filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file')
    .map(({ uri }) => withoutLinks(uri.fsPath))
    .filter((file) => changed.has(file));
  if (unsaved.length === 0) return;
  const names = unsaved.map((file) => `  ${path.relative(top, file)}`);
  throw new Problem(
    'conflict',
    [t('Nothing was undone: these files have unsaved changes. Save or revert them first.'), ...names].join(
      '\n',
    ),
  );
}

/** Returns the path of a file as git knows it: without links in the folders, which the editor keeps. */
function withoutLinks(file: string): string {
  return path.join(realFolder(path.dirname(file)), path.basename(file));
}

/** Shows a refusal that lists files or attempts, as a dialog has room for. Returns whether it was one. */
async function showRefusal({ log }: ExtensionServices, error: unknown): Promise<boolean> {
  if (!isProblem(error)) return false;
  const [head = '', ...lines] = describeError(error).split('\n');
  if (lines.length === 0) return false;
  log.warn([head, ...lines].join('\n'));
  const more = lines.length - MOST_FILES;
  const shown = more > 0 ? [...lines.slice(0, MOST_FILES), t('And {0} more: see the log.', more)] : lines;
  const showLog = t('Show Log');
  const detail = shown.map((line) => line.trim()).join('\n');
  const buttons = more > 0 ? [showLog] : [];
  const chosen = await showError(head, { modal: true, detail }, ...buttons);
  if (chosen === showLog) log.show();
  return true;
}
