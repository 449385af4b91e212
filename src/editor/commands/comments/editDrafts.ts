import type * as vscode from 'vscode';
import { isObject, isText } from '../../../platform/text/shapes';
import { DraftComment, type DraftComments } from '../../drafts/draftComments';

/** Returns what a thread of comments called a command with: the thread and a new text; null: it was called otherwise. */
export function readReply(target: unknown): vscode.CommentReply | null {
  if (!isObject(target) || !isText(target['text']) || !isObject(target['thread'])) return null;
  return target as unknown as vscode.CommentReply;
}

/** Adds the comment that the user wrote in a thread. */
export function addComment(drafts: DraftComments, target: unknown): void {
  const reply = readReply(target);
  if (reply !== null) drafts.add(reply);
}

/** Acts on a comment that is not sent. */
export function changeDraft(
  drafts: DraftComments,
  target: unknown,
  action: 'edit' | 'save' | 'cancel' | 'delete',
): void {
  if (!(target instanceof DraftComment)) return;
  if (action === 'edit') drafts.edit(target);
  else if (action === 'delete') drafts.remove([target]);
  else drafts.endEdit(target, action === 'save');
}
