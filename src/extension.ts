import * as path from 'node:path';
import * as vscode from 'vscode';
import { registerCommands } from './editor/commands';
import { showContexts } from './editor/state/contexts';
import type { ExtensionServices } from './editor/state/extensionServices';
import { Diagnostics } from './editor/queueFile/diagnostics';
import { EditorSettings } from './editor/state/editorSettings';
import { InteractiveAttempts } from './editor/terminals/interactiveAttempts';
import { createRowLenses } from './editor/queueFile/lenses';
import { createNextTaskLenses } from './editor/queueFile/nextTaskLenses';
import { showNotifications } from './editor/status/notifications';
import { OwnWindow } from './editor/unsaved/ownWindow';
import { QueueModel } from './editor/state/queueModel';
import { explainUnread, findQueueFile, openSession } from './editor/state/queuePlace';
import { keepFresh } from './editor/state/refreshing';
import { createRowHovers } from './editor/queueFile/rowHovers';
import { SaveListener } from './editor/unsaved/saveListener';
import { ShownTexts } from './editor/queueFile/shownTexts';
import { createStatusBar } from './editor/status/statusBar';
import { offerCommand } from './editor/terminals/terminalCommand';
import { TaskTree } from './editor/tree/tree';

/** Creates the parts of the extension and connects them. Reads nothing before the editor asks for it. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Claude Queue', { log: true });
  const settings = new EditorSettings();
  const queueFile = findQueueFile();
  const ownWindow = queueFile === null ? null : new OwnWindow(queueFile);
  const queueModel = new QueueModel(
    async (lastAccount) =>
      queueFile === null || ownWindow === null
        ? null
        : openSession({ queueFile, settings, ownWindow, log }, lastAccount),
    explainUnread(queueFile, settings, log),
  );
  const services: ExtensionServices = {
    queueModel,
    settings,
    log,
    queueFile,
    program: path.join(context.extensionPath, 'dist', 'cli.js'),
    memory: context.workspaceState,
    texts: new ShownTexts(),
    interactiveAttempts: new InteractiveAttempts({ queueModel, log, memory: context.workspaceState }),
  };
  context.subscriptions.push(
    log,
    queueModel,
    services.texts,
    registerCommands(services),
    new TaskTree(queueModel),
    createStatusBar(queueModel),
    createRowLenses(services),
    createRowHovers(services),
    createNextTaskLenses(services),
    new Diagnostics(services),
    showNotifications(services),
    ...(ownWindow === null ? [] : [ownWindow, new SaveListener(services, ownWindow)]),
    showContexts(services),
    services.interactiveAttempts,
    keepFresh(services),
  );
  offerCommand(context, services.program).catch((error: unknown) => {
    log.warn(`The command claude-queue is not in the terminals: ${String(error)}`);
  });
}
