import * as vscode from 'vscode';

/** Returns what disposes of a part that is being created: once it is there, even if that is after it was disposed of. */
export function createLater(
  create: () => Promise<vscode.Disposable>,
  report: (error: unknown) => void,
): vscode.Disposable {
  let part: vscode.Disposable | null = null;
  let isOver = false;
  create().then((created) => {
    part = created;
    if (isOver) created.dispose();
  }, report);
  return new vscode.Disposable(() => {
    isOver = true;
    part?.dispose();
  });
}
