import * as vscode from 'vscode';
import { findChanges } from '../../../app/actions/attempts/attemptChanges';
import { composeNote, type LineComment, nameFile } from '../../../app/actions/tasks/commentNote';
import { t } from '../../../platform/text/translate';
import type { DraftComment, TaskDrafts } from '../../drafts/draftComments';
import { requireQueue, type Review } from '../../changes/diffTarget';
import type { ExtensionServices } from '../../state/extensionServices';
import type { OpenedQueue } from '../../state/openedQueue';
import { sendComment } from '../tasks/comment';
import { attemptOf, idOf } from '../tasks/taskTarget';
import { showInformation } from '../../messages';
import { readReply } from './editDrafts';

/** Continues a task with the user's comments on its changes, which are drafts until then. */
export async function sendDrafts({ review, sentDrafts }: ExtensionServices, target: unknown): Promise<void> {
  const { drafts } = review;
  if (drafts.removeSent(await sentDrafts.read()))
    void showInformation(t('Comments that were sent in another window were removed here.'));
  const reply = readReply(target);
  const at = reply === null ? null : drafts.add(reply);
  const found = at === null ? await chooseDrafts(review, target) : drafts.find(at);
  if (found === null) return;
  // VS Code keeps the new text to itself until the edit is saved.
  if (found.comments.some(({ mode }) => mode === vscode.CommentMode.Editing)) {
    const message = t('Nothing was sent: you are editing a comment. Save or cancel the edit first.');
    void showInformation(message);
    return;
  }
  const services = await requireQueue(review, found);
  const session = await services.queueModel.useQueue();
  const comments = await session.use(() =>
    Promise.all(found.comments.map((draft) => toLineComment(session, draft))),
  );
  await sendComment(services, found.task, { text: composeNote(comments), count: comments.length });
  await sentDrafts.add(found.comments.map(({ id }) => id));
  drafts.remove(found.comments);
}

/** Returns the drafts of the task whose changes the active editor shows, or of the one that the user chooses. */
async function chooseDrafts({ drafts, diffs }: Review, target: unknown): Promise<TaskDrafts | null> {
  const { active } = diffs;
  const shown = active === null ? null : drafts.find(active);
  const isPressed = idOf(target) !== null && attemptOf(target) !== null;
  if (shown !== null || isPressed) return shown;
  const items = drafts.byTask.map((one) => ({
    label: t('Task {0}', one.task),
    description: describeCount(one.comments.length),
    one,
  }));
  if (items.length < 2) return items[0]?.one ?? null;
  const title = t('Continue Task with Comments');
  return (await vscode.window.showQuickPick(items, { title }))?.one ?? null;
}

function describeCount(comments: number): string {
  return comments === 1 ? t('1 comment') : t('{0} comments', comments);
}

async function toLineComment(
  { queueContext, queue }: OpenedQueue,
  { at, thread, quoted, text }: DraftComment,
): Promise<LineComment> {
  const { kept } = await findChanges(queueContext, queue, at.task, at.attempt);
  const { start, end } = thread.range ?? new vscode.Range(0, 0, 0, 0);
  const file = nameFile(thread.uri.path.slice(1), kept?.place);
  return { file, lines: [start.line + 1, end.line + 1], quoted, text };
}
