import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import type { TaskId } from '../../domain/task/task';
import { isObject, isText } from '../../platform/text/shapes';
import type { SentDrafts } from './sentDrafts';
import { parseValues } from '../form/formMessages';
import { FIELDS, takeOver, type FormValues } from '../form/formValues';

/** Key under which the workspace remembers a new task that was typed and not added. */
const NOT_ADDED = 'formNotAdded';

/** New task that was typed and not added. */
export interface FormDraft {
  /** The same in each window that restores it. */
  readonly draftId: string;
  readonly values: FormValues;
}

/** Remembers a new task until it is added or cancelled; null, or no prompt: nothing. */
export async function keepDraft(memory: vscode.Memento, kept: FormDraft | null): Promise<void> {
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

/** Row of a task that is edited. */
export interface EditedRow {
  /** Key of the queue. */
  readonly queue: string;
  readonly id: TaskId;
}

/** Changes of a row that were typed and not saved. */
export interface EditDraft {
  readonly values: FormValues;
  /** Values that the row had. */
  readonly initial: FormValues;
}

/** Remembers the changes of a row until they are saved or cancelled; null, or no changes: nothing. */
export async function keepEdit(
  memory: vscode.Memento,
  row: EditedRow,
  kept: EditDraft | null,
): Promise<void> {
  const key = keyOf(row);
  const isEmpty = kept === null || FIELDS.every((field) => kept.values[field] === kept.initial[field]);
  if (isEmpty && memory.get(key) === undefined) return;
  await memory.update(key, isEmpty ? undefined : { values: kept.values, initial: kept.initial });
}

/**
 * Returns the remembered changes of a row that has the values `now`; null if there are none, or if the row has them. Other
 * fields are as they are now. A field that was changed keeps its `initial` value, by which the save finds a conflict.
 */
export function recallEdit(memory: vscode.Memento, row: EditedRow, now: FormValues): EditDraft | null {
  const kept = memory.get<unknown>(keyOf(row));
  if (!isObject(kept)) return null;
  const [typed, before] = [parseValues(kept['values']), parseValues(kept['initial'])];
  if (typed === null || before === null) return null;
  const values = takeOver(typed, before, now);
  if (FIELDS.every((field) => values[field] === now[field])) return null;
  return { values, initial: takeOver(before, typed, now) };
}

/**
 * Remembers what was typed into the form of a task, or of a new one, until it is saved or cancelled; null: nothing. It
 * outlives the tab and the window.
 */
export async function keepTyped(
  { memory, key }: { readonly memory: vscode.Memento; readonly key: string },
  id: TaskId | null,
  kept: (FormDraft & EditDraft) | null,
): Promise<void> {
  if (id === null) await keepDraft(memory, kept);
  else await keepEdit(memory, { queue: key, id }, kept);
}

function keyOf({ queue, id }: EditedRow): string {
  return `formNotSaved ${String(id)} ${queue}`;
}
