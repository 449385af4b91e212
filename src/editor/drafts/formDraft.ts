import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import type { TaskId } from '../../domain/task/task';
import { isObject, isText } from '../../platform/text/shapes';
import type { SentDrafts } from './sentDrafts';
import { parseValues } from '../form/formMessages';
import type { FormValues } from '../form/formValues';

/** Key under which the workspace remembers a new task that was typed and not added. */
const NOT_ADDED = 'formNotAdded';

/** New task that was typed and not added. */
export interface FormDraft {
  /** The same in each window that restores it. */
  readonly draftId: string;
  readonly values: FormValues;
}

/** Remembers a new task until it is added or cancelled; null, or no prompt: nothing. */
export async function keepDraft(
  memory: vscode.Memento,
  id: TaskId | null,
  kept: FormDraft | null,
): Promise<void> {
  if (id !== null) return;
  const isEmpty = kept === null || kept.values.prompt.trim() === '';
  await memory.update(NOT_ADDED, isEmpty ? undefined : { ...kept.values, draftId: kept.draftId });
}

/** Returns the new task that no window has added; null if there is none. */
export async function recallDraft(
  memory: vscode.Memento,
  sentDrafts: Pick<SentDrafts, 'read'>,
): Promise<FormDraft | null> {
  const kept = memory.get<unknown>(NOT_ADDED);
  const values = parseValues(kept);
  if (values === null) return null;
  // An earlier version remembered no id.
  const draftId = isObject(kept) && isText(kept['draftId']) ? kept['draftId'] : randomUUID();
  return (await sentDrafts.read()).has(draftId) ? null : { draftId, values };
}
