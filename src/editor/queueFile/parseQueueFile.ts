import type * as vscode from 'vscode';
import { systemClock } from '../../platform/clock';
import { isQueueFile } from '../state/queuePlace';
import type { QueueDocument } from './document/queueDocument';

/** Files that may be the queue file. By path, never by language: extensions that colour CSV files change the language. */
export const CSV_FILES: vscode.DocumentFilter = { scheme: 'file', pattern: '**/*.csv' };

/** Returns the parsed text of the queue file, saved or not; null if the document is another file. */
export async function parseQueueFile(
  document: vscode.TextDocument,
  queueFile: string | null,
): Promise<QueueDocument | null> {
  if (!isQueueFile(document.uri, queueFile)) return null;
  const { parseOpen } = await import('./document/openDocuments');
  return document.isClosed ? null : parseOpen(document);
}

/**
 * The same for what is only drawn: a long document is read again only when no more keys follow. Null also if VS Code does
 * not want the answer any more.
 */
export async function parseWhenQuiet(
  document: vscode.TextDocument,
  queueFile: string | null,
  cancel: vscode.CancellationToken,
): Promise<QueueDocument | null> {
  if (!isQueueFile(document.uri, queueFile)) return null;
  const { awaitQuiet } = await import('./document/openDocuments');
  await awaitQuiet(document, cancel, systemClock);
  return cancel.isCancellationRequested ? null : parseQueueFile(document, queueFile);
}
