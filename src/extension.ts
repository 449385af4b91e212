import * as path from 'node:path';
import * as vscode from 'vscode';
import { registerCommands } from './editor/commands';
import { showContexts } from './editor/state/contexts';
import type { Desk } from './editor/state/extensionServices';
import { Diagnostics } from './editor/queueFile/diagnostics';
import { EditorSettings } from './editor/state/editorSettings';
import { InteractiveRuns } from './editor/terminals/interactiveRuns';
import { createRowLenses } from './editor/queueFile/lenses';
import { createNextTaskLenses } from './editor/queueFile/nextTaskLenses';
import { showNotifications } from './editor/status/notifications';
import { OwnWindow } from './editor/state/ownWindow';
import { QueueKeeper } from './editor/state/queueModel';
import { explainUnread, findQueueFile, openSession } from './editor/state/queuePlace';
import { keepFresh } from './editor/state/refreshing';
import { createRowHovers } from './editor/queueFile/rowHovers';
import { SaveMerge } from './editor/unsaved/saveMerge';
import { ShownTexts } from './editor/queueFile/shownTexts';
import { createStatusBar } from './editor/status/statusBar';
import { offerCommand } from './editor/terminals/terminalCommand';
import { TaskTree } from './editor/tree/tree';

/** A table of contents: what the extension is made of, wired together. Nothing is read before the editor asks for it. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Claude Queue', { log: true });
  const settings = new EditorSettings();
  const queueFile = findQueueFile();
  const ownWindow = queueFile === null ? null : new OwnWindow(queueFile);
  const keeper = new QueueKeeper(
    async (lastAccount) =>
      queueFile === null || ownWindow === null
        ? null
        : openSession({ queueFile, settings, ownWindow, log }, lastAccount),
    explainUnread(queueFile, settings, log),
  );
  const desk: Desk = {
    keeper,
    settings,
    log,
    queueFile,
    program: path.join(context.extensionPath, 'dist', 'cli.js'),
    memory: context.workspaceState,
    texts: new ShownTexts(),
    interactiveRuns: new InteractiveRuns({ keeper, log, memory: context.workspaceState }),
  };
  context.subscriptions.push(
    log,
    keeper,
    desk.texts,
    registerCommands(desk),
    new TaskTree(keeper),
    createStatusBar(keeper),
    createRowLenses(desk),
    createRowHovers(desk),
    createNextTaskLenses(desk),
    new Diagnostics(desk),
    showNotifications(desk),
    ...(ownWindow === null ? [] : [ownWindow, new SaveMerge(desk, ownWindow)]),
    showContexts(desk),
    desk.interactiveRuns,
    keepFresh(desk),
  );
  offerCommand(context, desk.program).catch((error: unknown) => {
    log.warn(`The command claude-queue is not in the terminals: ${String(error)}`);
  });
}
