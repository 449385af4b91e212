import { addTask } from '../../app/actions/rows/addTask';
import { cutLine } from '../../app/approval/approval';
import { editTask } from '../../app/actions/rows/editTask';
import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import { revealInLine } from '../../platform/text/invisible';
import { t } from '../../platform/text/translate';
import { nameCall } from '../drafts/draftCall';
import type { FormDraft } from '../drafts/formDraft';
import type { OpenedQueue } from '../state/openedQueue';
import { composePrompt, type Attachment } from './attachments';
import { cellsOf, changedCells, FIELD_OF, LABELS, valuesOf, type FormValues } from './formValues';
import { COMMA } from '../../app/present/text';

/** New task of a form. */
export interface SentDraft extends FormDraft {
  readonly attachments: readonly Attachment[];
}

/** Adds the task of a form, which is approved, and returns its id. The same draft is added once. */
export async function addFromForm(
  { queueContext, queue }: Pick<OpenedQueue, 'queueContext' | 'queue'>,
  { draftId, values, attachments }: SentDraft,
): Promise<TaskId> {
  // The prompt is only the title then.
  if (values.promptFile.trim() !== '' && attachments.length > 0)
    throw new Problem(
      'usage',
      t('Claude gets only the prompt file. Write the context into it, or remove the context here.'),
    );
  const prompt = composePrompt(values.prompt, attachments);
  const cells = Object.entries(cellsOf({ ...values, prompt }, queueContext.moment()));
  const fields = Object.fromEntries(cells.filter(([, text]) => text !== ''));
  const draft = { fields: { ...fields, status: 'pending', retry_count: '0' } };
  return addTask(queueContext, queue, draft, nameCall(draftId, [values, attachments]));
}

/**
 * Changes the cells that differ from the `initial` ones, by the rules of `editTask`.
 * @throws Problem `conflict` if somebody else wrote another text into one of these cells meanwhile
 */
export async function saveFromForm(
  { queueContext, queue }: Pick<OpenedQueue, 'queueContext' | 'queue'>,
  id: TaskId,
  { initial, values }: { readonly initial: FormValues; readonly values: FormValues },
): Promise<void> {
  const moment = queueContext.moment();
  const fields = changedCells(initial, values, moment);
  const now = valuesOf(await queue.cells(id));
  const theirs = changedCells(initial, now, moment);
  // Equal texts are no conflict: the answer to an earlier save may have been lost.
  const both = Object.keys(theirs).filter((name) => name in fields && theirs[name] !== fields[name]);
  if (both.length > 0) throw changedMeanwhile(id, both, { initial, now });
  if (Object.keys(fields).length > 0) await editTask(queueContext, queue, id, fields);
}

function changedMeanwhile(
  id: TaskId,
  columns: readonly string[],
  { initial, now }: { readonly initial: FormValues; readonly now: FormValues },
): Problem {
  const found = Object.entries(FIELD_OF).filter(([column]) => columns.includes(column));
  const changes = [...new Set(found.map(([, field]) => field))].map(
    (field) => `${LABELS[field].toLowerCase()} ${quoteChange(initial[field], now[field])}`,
  );
  return new Problem(
    'conflict',
    t(
      'The row of task {0} was changed meanwhile: {1}. Save again to write your text instead.',
      id,
      changes.join(COMMA),
    ),
  );
}

/** Quotes the lines of a text that it did not have before; the whole text where lines were only taken away. */
function quoteChange(before: string, now: string): string {
  if (now.trim() === '') return t('(empty)');
  const known = new Set(before.split('\n'));
  const added = now.split('\n').filter((line) => !known.has(line));
  const shown = added.length > 0 ? added : now.split('\n');
  return `"${cutLine(revealInLine(shown.join(' ')))}"`;
}
