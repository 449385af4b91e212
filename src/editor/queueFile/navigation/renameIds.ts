import * as vscode from 'vscode';
import type { TaskId } from '../../../domain/task/task';
import type { QueueModel } from '../../state/queueModel';
import { toEditorRange } from '../document/editorRange';
import type { QueueDocument } from '../document/queueDocument';
import { CSV_FILES, parseQueueFile } from '../parseQueueFile';
import type { IdRecords } from './rename';
import { t } from '../../../platform/text/translate';

/** Creates the renaming of an id in its row and in all dependencies at once. */
export function createIdRenaming(queueFile: string, queueModel: QueueModel): vscode.Disposable {
  return vscode.languages.registerRenameProvider(CSV_FILES, {
    async prepareRename(document, position) {
      const found = await findId(document, position, queueFile);
      return found && { range: toEditorRange(found.range), placeholder: String(found.id) };
    },
    async provideRenameEdits(document, position, typed) {
      const found = await findId(document, position, queueFile);
      return found && rename({ document, ...found, typed }, queueModel);
    },
  });
}

interface Renaming {
  readonly document: vscode.TextDocument;
  readonly parsed: QueueDocument;
  readonly id: TaskId;
  readonly typed: string;
}

/** @throws an Error whose message VS Code shows, if the id must stay as it is */
async function rename(
  { document, parsed, id, typed }: Renaming,
  queueModel: QueueModel,
): Promise<vscode.WorkspaceEdit> {
  const { explainKeptId, planRename } = await import('./rename');
  const plan = planRename(parsed, id, typed);
  if ('refused' in plan) throw new Error(plan.refused);
  const edit = new vscode.WorkspaceEdit();
  if (plan.places.length === 0) return edit;
  const records = { from: await findRecords(queueModel, id), to: await findRecords(queueModel, plan.id) };
  const kept = explainKeptId(id, plan.id, records);
  if (kept !== null) throw new Error(kept);
  for (const place of plan.places) edit.replace(document.uri, toEditorRange(place), String(plan.id));
  return edit;
}

async function findRecords(queueModel: QueueModel, id: TaskId): Promise<IdRecords> {
  const session = await queueModel.useQueue();
  return session.use(async () => {
    const [task] = await session.queue.find([id]);
    return { task, attempts: await session.queue.attempts({ id, limit: 1 }) };
  });
}

/**
 * Returns the id at a position of the queue file; undefined for another file.
 * @throws an Error whose message VS Code shows, if there is none
 */
async function findId(document: vscode.TextDocument, position: vscode.Position, queueFile: string) {
  const parsed = await parseQueueFile(document, queueFile);
  if (parsed === null) return undefined;
  const { findIdAt } = await import('./ids');
  const found = findIdAt(parsed, position);
  if (found !== undefined) return { parsed, ...found };
  throw new Error(
    t('Only ids can be renamed. Put the cursor on the id of a row or on one that it depends on.'),
  );
}
