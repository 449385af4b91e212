import * as vscode from 'vscode';
import type { SentDrafts } from './sentDrafts';
import type { DraftComments } from './draftComments';

/** Removes the comments that another window has sent: those restored at the start, and others when the user comes back. */
export function forgetSent(
  drafts: Pick<DraftComments, 'byTask' | 'removeSent'>,
  sentDrafts: SentDrafts,
): vscode.Disposable {
  const forget = async (): Promise<void> => {
    if (drafts.byTask.length > 0) drafts.removeSent(await sentDrafts.read());
  };
  void forget();
  return vscode.window.onDidChangeWindowState(({ focused }) => {
    if (focused) void forget();
  });
}
