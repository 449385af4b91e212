import type * as vscode from 'vscode';
import type { TaskId } from '../../domain/task/task';
import { parseValues } from './formMessages';
import type { FormValues } from './formValues';

/** Key under which the workspace remembers a new task that was typed and not added. */
const NOT_ADDED = 'formNotAdded';

/** Remembers the values of a new task until it is added or cancelled; null, or no prompt: nothing. */
export async function keepDraft(
  memory: vscode.Memento,
  id: TaskId | null,
  values: FormValues | null,
): Promise<void> {
  if (id !== null) return;
  await memory.update(NOT_ADDED, values === null || values.prompt.trim() === '' ? undefined : values);
}

/** Returns the values of a new task that was not added; null if there are none. */
export function recallDraft(memory: vscode.Memento): FormValues | null {
  return parseValues(memory.get(NOT_ADDED));
}
