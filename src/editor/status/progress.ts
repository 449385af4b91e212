import * as vscode from 'vscode';

/** Milliseconds before progress is shown. */
const SILENT_MS = 1_000;

/** Shows progress if the work takes a while; it cannot be cancelled. */
export async function showProgress<T>(title: string, work: Promise<T>): Promise<T> {
  const ended = work.then(
    () => undefined,
    // Callers that await the work itself get its failure.
    () => undefined,
  );
  const timer = setTimeout(() => {
    void vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () => ended);
  }, SILENT_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
