import * as vscode from 'vscode';
import { answerTask, findQuestion, REDACTED_WORDS } from '../../../app/actions/tasks/answerTask';
import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import { possibleActions } from '../../../app/viewModel/possibleActions';
import type { ExtensionServices } from '../../state/extensionServices';
import { chooseTask } from './taskTarget';
import { addFolderName } from '../../state/folderName';
import { t } from '../../../platform/text/translate';
import { showWarning } from '../../messages';
import { hideLinks } from '../../hiddenLinks';

/** Shows the question of a task and records the user's answer. */
export async function answer(services: ExtensionServices, target: unknown): Promise<void> {
  const session = await services.queueModel.useQueue();
  const suits = (shown: TaskViewModel): boolean => possibleActions(shown).has('answer');
  const id = await chooseTask(services, target, { title: t('Answer'), suits });
  if (id === null) return;
  const question = await session.use(() => findQuestion(session.queue, id));
  const text = await vscode.window.showInputBox({
    title: addFolderName(services, t('Answer Task {0}', id)),
    prompt: hideLinks(question),
    placeHolder: t('Your answer'),
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === '' ? t('Enter an answer.') : undefined),
  });
  if (text === undefined) return;
  const { isRedacted } = await services.queueModel.change(({ queueContext, queue }) =>
    answerTask(queueContext, queue, { id, question, text }),
  );
  if (isRedacted) void showWarning(REDACTED_WORDS);
}
