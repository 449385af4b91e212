import * as path from 'node:path';
import * as vscode from 'vscode';
import { registerVersionFiles } from './editor/changes/versionFiles';
import { registerCommands } from './editor/commands';
import { showContexts } from './editor/state/contexts';
import type { ExtensionServices } from './editor/state/extensionServices';
import { createConfigLanguage } from './editor/configFile/configLanguage';
import { createCompletion } from './editor/queueFile/completion/completionProvider';
import { Diagnostics } from './editor/queueFile/diagnostics';
import { createLanguage } from './editor/queueFile/createLanguage';
import { EditorSettings } from './editor/state/editorSettings';
import { InteractiveAttempts } from './editor/terminals/interactiveAttempts';
import { createRowLenses } from './editor/queueFile/lenses/rowLensProvider';
import { createNextTaskLenses } from './editor/queueFile/lenses/nextTaskLenses';
import { showNotifications } from './editor/status/notifications';
import { QueueModel } from './editor/state/queueModel';
import { createOwnWindow, explainUnread, findQueue, openSession } from './editor/state/queuePlace';
import { TreeChoices } from './editor/state/treeChoices';
import { createProblemActions } from './editor/form/problemActions';
import { askForPassword } from './editor/status/passwordMessage';
import { keepFresh } from './editor/state/refreshing';
import { createFixes } from './editor/queueFile/fixes/fixProvider';
import { createCellHovers } from './editor/queueFile/hover/cellHovers';
import { SaveListener } from './editor/unsaved/saveListener';
import { OpenPages } from './editor/pages/openPages';
import { Pages } from './editor/pages/pages';
import { restorePages } from './editor/pages/restorePages';
import { ShownTexts } from './editor/queueFile/shownTexts';
import { createStatusBar } from './editor/status/statusBar';
import { commandPath, nameQueue, offerCommand } from './editor/terminals/terminalCommand';
import { createDragAndDrop } from './editor/tree/dragAndDrop';
import { LiveActions } from './editor/tree/live/liveActions';
import { registerTools } from './editor/tools/registerTools';
import { TaskTree } from './editor/tree/tree';

/** Creates the parts of the extension and connects them. Reads nothing before the editor asks for it. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Claude Queue', { log: true });
  const settings = new EditorSettings();
  const program = path.join(context.extensionPath, 'dist', 'cli.js');
  let address = settings.redis;
  let shown = showQueue(context, settings, log, program);
  context.subscriptions.push(
    log,
    registerVersionFiles({ settings, log }),
    settings.onDidChange(() => {
      if (settings.redis === address) return;
      address = settings.redis;
      shown.dispose();
      shown = showQueue(context, settings, log, program);
    }),
    {
      dispose: () => {
        shown.dispose();
      },
    },
  );
  offerCommand(context, program).catch((error: unknown) => {
    log.warn(`The command claude-queue is not in the terminals: ${String(error)}`);
  });
}

/** Shows the queue that the settings name, until it is disposed. */
function showQueue(
  context: vscode.ExtensionContext,
  settings: EditorSettings,
  log: vscode.LogOutputChannel,
  program: string,
): vscode.Disposable {
  const { secrets, workspaceState: memory } = context;
  const place = findQueue(settings, secrets);
  nameQueue(context, settings.redis);
  const ownWindow = createOwnWindow(place, settings);
  const queueModel = new QueueModel(
    async (lastAccount) =>
      ownWindow === null ? null : openSession({ ...place, settings, ownWindow, log }, lastAccount),
    explainUnread(place, settings, log),
  );
  const services: ExtensionServices = {
    ...place,
    ...{ queueModel, settings, log, program, memory, command: commandPath(context) },
    texts: new ShownTexts(),
    pages: new Pages(log),
    attempts: new OpenPages(),
    interactiveAttempts: new InteractiveAttempts({ queueModel, log, memory }),
    forms: new OpenPages(),
    choices: new TreeChoices(memory),
    findKeyTargets: () => tree.findKeyTargets(),
  };
  const liveActions = new LiveActions(queueModel, log);
  const tree = new TaskTree(
    { queueModel, choices: services.choices, liveActions, program },
    createDragAndDrop(services),
  );
  return vscode.Disposable.from(
    queueModel,
    services.texts,
    services.pages,
    ...[restorePages, registerTools, registerCommands].map((register) => register(services)),
    services.choices,
    services.forms,
    createProblemActions(services),
    liveActions,
    tree,
    createStatusBar(services),
    createLanguage(services),
    createRowLenses(services),
    createCellHovers(services),
    createNextTaskLenses(services),
    new Diagnostics(services),
    createConfigLanguage(services),
    createCompletion(services),
    createFixes(services),
    showNotifications(services),
    ...(ownWindow === null ? [] : [ownWindow]),
    ...(ownWindow === null || place.redis !== null ? [] : [new SaveListener(services, ownWindow)]),
    showContexts(services),
    services.interactiveAttempts,
    keepFresh(services),
    askForPassword(services),
  );
}
