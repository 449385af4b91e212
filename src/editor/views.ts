import * as vscode from 'vscode';
import { showContexts } from './state/contexts';
import type { ExtensionServices } from './state/extensionServices';
import type { Queues } from './state/queues';
import { createStatusBar } from './status/statusBar';

/** Creates what shows the queues of the window around the tree. */
export function createViews(
  queues: Queues,
  services: Pick<ExtensionServices, 'choices' | 'review' | 'log'>,
): vscode.Disposable {
  return vscode.Disposable.from(showContexts(queues, services), createStatusBar(queues));
}
