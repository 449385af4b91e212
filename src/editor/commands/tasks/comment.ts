import * as vscode from 'vscode';
import { commentTask, describeCommented, REDACTED_COMMENT } from '../../../app/actions/tasks/commentTask';
import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import { possibleActions } from '../../../app/viewModel/possibleActions';
import type { TaskId } from '../../../domain/task/task';
import { t } from '../../../platform/text/translate';
import type { ExtensionServices } from '../../state/extensionServices';
import { addFolderName } from '../../state/folderName';
import { viewModelOf } from '../../state/queueState';
import { chooseTask } from './taskTarget';
import { showInformation, showWarning } from '../../messages';

/** Asks for a comment on what a task did, and records it. */
export async function comment(services: ExtensionServices, target: unknown): Promise<void> {
  const suits = (shown: TaskViewModel): boolean => possibleActions(shown).has('comment');
  const id = await chooseTask(services, target, { title: t('Comment on Task'), suits });
  if (id === null) return;
  const text = await vscode.window.showInputBox({
    title: addFolderName(services, t('Comment on Task {0}', id)),
    prompt: t('The task runs again in the same session, with your comment.'),
    placeHolder: t('Your comment'),
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === '' ? t('Enter a comment.') : undefined),
  });
  if (text !== undefined) await sendComment(services, id, { text, count: 1 });
}

/**
 * Records the user's comments on what a task did, which are one text, and says what follows.
 * @throws what `commentTask` throws
 */
export async function sendComment(
  { queueModel }: Pick<ExtensionServices, 'queueModel'>,
  id: TaskId,
  { text, count }: { readonly text: string; readonly count: number },
): Promise<void> {
  const { isRedacted } = await queueModel.change(({ queueContext, queue }) =>
    commentTask(queueContext, queue, id, text),
  );
  const pause = viewModelOf(queueModel.state)?.pause ?? null;
  const sentences = [
    describeCommented(id, count),
    ...(pause === null ? [] : [t('The queue is waiting: {0}.', pause.text)]),
  ];
  void showInformation(sentences.join(' '));
  if (isRedacted) void showWarning(REDACTED_COMMENT);
}
