import * as path from 'node:path';
import type * as vscode from 'vscode';
import { isProblem } from '../../../domain/problem';
import { listNames } from '../../../platform/files/files';
import { t } from '../../../platform/text/translate';
import { callCommand } from '../../callCommand';
import { keyOf, PromptFile, promptFolderOf, type PromptEvent } from '../../form/promptFile';
import { keepTyped } from '../../drafts/formDraft';
import { showInformation } from '../../messages';
import type { ExtensionServices } from '../../state/extensionServices';
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
    // The prompt of a removed task is of no use.
    if (!isProblem(error, 'no-such-task')) throw error;
  }
  if (!file.isOpen) await file.remove();
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
  const prompt = await file.read();
  if (prompt === null) return;
  const { draftId, values, initial = values } = await prepareForm(services, file.id);
  await keepTyped(services, file.id, { draftId, values: { ...values, prompt }, initial });
}
