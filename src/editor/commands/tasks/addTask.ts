import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { addTask as appendTask } from '../../../app/actions/rows/addTask';
import type { QueueContext } from '../../../app/context/queueContext';
import { isProblem } from '../../../domain/problem';
import { PRIORITIES, type Priority } from '../../../domain/task/priority';
import { resolveLinks } from '../../../platform/files/paths';
import { nameFolder } from '../../../platform/files/repositories';
import { isObject, isText } from '../../../platform/text/shapes';
import { nameCall } from '../../drafts/draftCall';
import type { ExtensionServices } from '../../state/extensionServices';
import { createQueue } from '../queue/createQueue';
import { usualCells } from '../../../queue/row/usualCells';
import { addFolderName } from '../../state/folderName';
import { t } from '../../../platform/text/translate';

/** Key under which the workspace remembers the prompt of a task that could not be added, as a draft. */
const NOT_ADDED = 'promptNotAdded';

interface PromptDraft {
  readonly draftId: string;
  readonly prompt: string;
}

/** Returns the prompt that was not added; an empty one if there is none. */
function recallPrompt(memory: vscode.Memento): PromptDraft {
  const kept = memory.get<unknown>(NOT_ADDED);
  if (isObject(kept) && isText(kept['draftId']) && isText(kept['prompt']))
    return { draftId: kept['draftId'], prompt: kept['prompt'] };
  // An earlier version remembered the prompt alone.
  return { draftId: randomUUID(), prompt: isText(kept) ? kept : '' };
}

/** Asks for a prompt and a priority, and appends the task. It is approved, because the user has just written it. */
export async function addTask(services: ExtensionServices): Promise<void> {
  await ensureQueue(services);
  const { draftId, prompt: notAdded } = recallPrompt(services.memory);
  const prompt = await vscode.window.showInputBox({
    title: addFolderName(services, t('Add Task (1/2)')),
    prompt: t('What Claude should do. For more than one line, use "Add Task in Form".'),
    placeHolder: t('Write tests for src/parser.ts'),
    value: notAdded,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? t('Enter what Claude should do.') : undefined),
  });
  if (prompt === undefined) return;
  const priority = await vscode.window.showQuickPick(prioritiesFrom('medium'), {
    title: addFolderName(services, t('Add Task (2/2)')),
    placeHolder: t('Priority'),
    ignoreFocusOut: true,
  });
  if (priority === undefined) return;
  // The user's text outlives a failure, such as a Redis that is away.
  await services.memory.update(NOT_ADDED, { draftId, prompt } satisfies PromptDraft);
  const op = nameCall(draftId, [prompt, priority.label]);
  const id = await services.queueModel.change(({ queueContext, queue }) => {
    const fields = {
      ...usualCells(queueContext.configuration.last.settings),
      ...{ prompt, priority: priority.label, working_dir: nameHere(queueContext) },
    };
    return appendTask(queueContext, queue, { fields }, op);
  });
  await services.memory.update(NOT_ADDED, undefined);
  void vscode.window.setStatusBarMessage(t('Added task {0}, approved because you wrote it.', id), 5_000);
}

/** Returns the workspace's folder as a row names it: in Redis, as other machines may know it. */
export function nameHere({ redis, host, repositories }: QueueContext): string {
  return redis === null ? '.' : nameFolder(resolveLinks(host.cwd), repositories);
}

/** Creates a queue where there is none. */
export async function ensureQueue(services: ExtensionServices): Promise<void> {
  try {
    await services.queueModel.useQueue();
  } catch (error) {
    if (!isProblem(error, 'queue-missing')) throw error;
    await createQueue(services);
  }
}

/** Returns the priorities, `first` first. */
function prioritiesFrom(first: Priority): { label: Priority }[] {
  return [first, ...PRIORITIES.filter((priority) => priority !== first)].map((label) => ({ label }));
}
