import * as vscode from 'vscode';

/** What takes no longer than this needs no word. */
const UNTOLD_MS = 1_000;

/** Tells that something continues where it takes a while; it cannot be called off. */
export async function showProgress<T>(title: string, work: Promise<T>): Promise<T> {
  const ended = work.then(
    () => undefined,
    // Anyone who awaits the work itself hears of its failure.
    () => undefined,
  );
  const timer = setTimeout(() => {
    void vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () => ended);
  }, UNTOLD_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
