import * as path from 'node:path';
import * as vscode from 'vscode';
import { isProblem } from '../../../domain/problem';
import { listNames } from '../../../platform/files/files';
import { t } from '../../../platform/text/translate';
import { callCommand } from '../../callCommand';
import { keyOf, promptAfter, PromptFile, promptFolderOf, type PromptEvent } from '../../form/promptFile';
import { keepTyped } from '../../drafts/formDraft';
import { showInformation, showWarning } from '../../messages';
import type { ExtensionServices } from '../../state/extensionServices';
import { showFailure } from '../../status/failures';
import type { Queues } from '../../state/queues';
import { prepareForm } from './formStart';

/** Carries out what happened to a prompt in an editor. */
export async function receivePrompt(queues: Queues, uri: vscode.Uri, event: PromptEvent): Promise<void> {
  const folder = path.basename(path.dirname(uri.fsPath));
  for (const { services } of queues.all) {
    const file = createFile(services, folder);
    if (!file.isAt(uri)) continue;
    const form = services.forms.find(keyOf(file.id));
    if (form !== undefined) await form.followPrompt(event);
    else if (event === 'saved') await takeSaved(services, file);
    else if (event === 'closed') await collectPrompt(services, file);
  }
}

/**
 * Gives the saved prompts of closed forms to the drafts of these forms, and removes the files that no editor has open: those
 * of a window that ended.
 */
export async function collectPrompts(services: ExtensionServices): Promise<void> {
  for (const folder of await listNames(promptFolderOf(services)))
    if (services.forms.find(folder) === undefined)
      await collectPrompt(services, createFile(services, folder));
}

/** Returns the prompt file in a folder, which has the name of its form's key. */
function createFile(services: ExtensionServices, folder: string): PromptFile {
  return new PromptFile(services, folder === keyOf(null) ? null : Number(folder));
}

async function collectPrompt(services: ExtensionServices, file: PromptFile): Promise<void> {
  try {
    await keepPrompt(services, file);
  } catch (error) {
    if (!isProblem(error, 'no-such-task')) throw error;
    if (!file.isOpen) await offerText(services, file);
  }
  if (!file.isOpen) await file.remove();
}

/** Offers the saved prompt of a removed task, which no form has. The message need not be answered. */
async function offerText(services: ExtensionServices, file: PromptFile): Promise<void> {
  const content = (await file.read()) ?? '';
  if (file.id === null || content === '') return;
  const open = t('Open Text');
  const show = async (choice: string | undefined): Promise<void> => {
    if (choice !== open) return;
    const document = await vscode.workspace.openTextDocument({ content, language: 'markdown' });
    await vscode.window.showTextDocument(document);
  };
  showWarning(t('Task {0} was removed. Open the prompt that you saved for it, or it is lost.', file.id), open)
    .then(show)
    .then(undefined, (error: unknown) => showFailure(services, 'prompt', error));
}

/** Files of which the user knows that their forms are closed. */
const announced = new Set<string>();

async function takeSaved(services: ExtensionServices, file: PromptFile): Promise<void> {
  await keepPrompt(services, file);
  // Once: VS Code may save by itself, each second.
  if (announced.has(file.path)) return;
  announced.add(file.path);
  const open = t('Open Form');
  const message = t('The form of {0} is closed. It has the saved text when you open it again.', file.name);
  if ((await showInformation(message, open)) !== open) return;
  announced.delete(file.path);
  if (file.id === null) await callCommand(services, 'addTaskInForm');
  else await callCommand(services, 'editTask', file.id);
}

/** Keeps the saved text as what was typed into the form. */
async function keepPrompt(services: ExtensionServices, file: PromptFile): Promise<void> {
  const saved = await file.read();
  if (saved === null) return;
  const { draftId, values, initial = values } = await prepareForm(services, file.id);
  const prompt = promptAfter(saved, values.prompt);
  await keepTyped(services, file.id, { draftId, values: { ...values, prompt }, initial });
}
