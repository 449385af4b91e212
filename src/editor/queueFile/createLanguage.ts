import * as vscode from 'vscode';
import type { ExtensionServices } from '../state/extensionServices';
import { ColumnColours } from './colours/columnColours';
import { FaintParts } from './colours/faintParts';
import { createNavigation } from './navigation/navigation';
import { createPromptFileDefinition } from './navigation/promptFileDefinition';
import { createIdRenaming } from './navigation/renameIds';

/** Creates colours, outline, folding and navigation of the queue file. Nothing of a queue in Redis. */
export function createLanguage({ queueFile, queueModel, log }: ExtensionServices): vscode.Disposable {
  if (queueFile === null) return vscode.Disposable.from();
  const report = (error: unknown): void => {
    log.error('The queue file could not be drawn', String(error));
  };
  const colours = new ColumnColours(queueFile);
  const onOtherColumn = (): void => colours.refresh();
  return vscode.Disposable.from(
    colours,
    new FaintParts(queueFile, { onOtherColumn, report }),
    createNavigation(queueFile),
    createPromptFileDefinition({ queueFile, queueModel }),
    createIdRenaming(queueFile, queueModel),
  );
}
