import './editor/state/language';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { DraftComments } from './editor/drafts/draftComments';
import { ShownDiffs } from './editor/changes/shownDiffs';
import { findQueueOf } from './editor/changes/queueOfDiff';
import type { Review } from './editor/changes/diffTarget';
import { registerVersionFiles } from './editor/changes/versionFiles';
import { registerCommands } from './editor/commands';
import type { ExtensionServices } from './editor/state/extensionServices';
import { createConfigLanguage } from './editor/configFile/configLanguage';
import { EditorSettings } from './editor/state/editorSettings';
import { InteractiveAttempts } from './editor/terminals/interactiveAttempts';
import { QueueModel } from './editor/state/queueModel';
import {
  createOwnWindow,
  explainUnread,
  findQueues,
  openSession,
  type QueuePlace,
} from './editor/state/queuePlace';
import { Queues, type WindowQueue } from './editor/state/queues';
import { memoryOfFolder } from './editor/state/folderMemory';
import { TreeChoices } from './editor/state/treeChoices';
import { createProblemActions } from './editor/form/problemActions';
import { keepFresh } from './editor/state/refreshing';
import { registerFolderCreation } from './editor/queueFile/fixes/folderCreation';
import { createLater } from './editor/later';
import { SaveListener } from './editor/unsaved/saveListener';
import { OpenPages, Pages } from './editor/pages/openPages';
import { followPrompts } from './editor/form/followPrompts';
import { restorePages } from './editor/pages/restorePages';
import { forgetOrphans } from './editor/drafts/forgetOrphans';
import { forgetSent } from './editor/drafts/forgetSent';
import { SentDrafts } from './editor/drafts/sentDrafts';
import { ShownTexts } from './editor/queueFile/shownTexts';
import { commandPath, nameQueue, offerCommand } from './editor/terminals/terminalCommand';
import { createDragAndDrop } from './editor/tree/dragAndDrop';
import { ExpectedStarts } from './editor/tree/live/expectedStarts';
import { LiveActions } from './editor/tree/live/liveActions';
import { registerTools } from './editor/tools/registerTools';
import { TaskTree } from './editor/tree/tree';
import { systemClock } from './platform/clock';

/** Services of the window, which all queues share. */
type Shared = Pick<
  ExtensionServices,
  | 'settings'
  | 'log'
  | 'program'
  | 'command'
  | 'texts'
  | 'choices'
  | 'review'
  | 'sentDrafts'
  | 'prompts'
  | 'findKeyTargets'
> & {
  /** Resolves once VS Code has drawn the rows of a queue that was read. */
  readonly awaitRows: () => Promise<void>;
};

/** Creates the parts of the extension and connects them. Reads nothing before the editor asks for it. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Claude Queue', { log: true });
  const settings = new EditorSettings();
  const program = path.join(context.extensionPath, 'dist', 'cli.js');
  const choices = new TreeChoices(context.workspaceState);
  const texts = new ShownTexts();
  const drafts = new DraftComments(context.workspaceState, log);
  const sentDrafts = new SentDrafts(context.globalStorageUri.fsPath, log);
  // Those of this workspace: which files are open in other windows is not known.
  const prompts = path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'prompts');
  const diffs = new ShownDiffs();
  const review: Review = { drafts, diffs, findQueue: (key) => findQueueOf(queues, key) };
  const shared: Shared = {
    ...{ settings, log, program, command: commandPath(context), texts, choices, review, sentDrafts, prompts },
    findKeyTargets: () => tree.findKeyTargets(),
    awaitRows: () => tree.awaitRows(systemClock),
  };
  const queues = new Queues(
    () => findQueues(settings, context.secrets),
    (place) => openQueue(context, place, shared),
  );
  const tree = new TaskTree({ queues, choices }, createDragAndDrop(queues));
  const queueFiles = (): readonly string[] => queues.all.flatMap(({ services }) => services.queueFile ?? []);
  nameQueue(context, settings.redis);
  context.subscriptions.push(
    ...[log, choices, texts, queues, tree, drafts, diffs],
    registerVersionFiles({ settings, log }),
    registerCommands(queues, shared),
    restorePages(queues),
    followPrompts(queues, shared),
    registerTools(queues),
    registerFolderCreation(),
    createProblemActions(queueFiles),
    createConfigLanguage({ queueFiles, onDidChangeQueues: queues.onDidChange, settings }),
    followPlaces(context, queues, settings),
    forgetOrphans(queues, drafts, log),
    forgetSent(drafts, sentDrafts),
  );
  queues.update();
  context.subscriptions.push(
    createLater(
      tree.open(),
      async () => {
        const { createViews } = await import('./editor/views');
        return createViews(queues, { choices, review, log });
      },
      (error) => {
        log.error('The queue cannot be shown', String(error));
      },
    ),
  );
  offerCommand(context, program).catch((error: unknown) => {
    log.warn(`The command claude-queue is not in the terminals: ${String(error)}`);
  });
}

/** Opens and closes queues when folders come and go, or the settings name another queue. */
function followPlaces(
  context: vscode.ExtensionContext,
  queues: Queues,
  settings: EditorSettings,
): vscode.Disposable {
  let address = settings.redis;
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      queues.update();
    }),
    settings.onDidChange(() => {
      if (settings.redis === address) return;
      address = settings.redis;
      nameQueue(context, address);
      queues.update();
    }),
  );
}

/** Opens the queue of one place, and shows it until it is disposed. */
function openQueue(context: vscode.ExtensionContext, place: QueuePlace, shared: Shared): WindowQueue {
  const { settings, log } = shared;
  const ownWindow = createOwnWindow(place, settings);
  const queueModel = new QueueModel(
    async (lastAccount) =>
      ownWindow === null ? null : openSession({ ...place, settings, ownWindow, log }, lastAccount),
    explainUnread(place, settings, log),
  );
  const memory = findMemory(context, place);
  const services: ExtensionServices = {
    ...place,
    ...shared,
    ...{ queueModel, memory },
    pages: new Pages({ ...place, log }),
    attempts: new OpenPages(),
    interactiveAttempts: new InteractiveAttempts({ ...place, queueModel, log, memory }),
    forms: new OpenPages(),
  };
  const liveActions = new LiveActions(queueModel, log);
  const expectedStarts = new ExpectedStarts(queueModel, log);
  const parts = vscode.Disposable.from(
    queueModel,
    services.pages,
    services.attempts,
    services.forms,
    liveActions,
    expectedStarts,
    ...(ownWindow === null ? [] : [ownWindow]),
    ...(ownWindow === null || place.redis !== null ? [] : [new SaveListener(services, ownWindow)]),
    services.interactiveAttempts,
    keepFresh(services),
    createLater(
      queueModel.firstRead.then(shared.awaitRows),
      async () => {
        const { createQueueParts } = await import('./editor/queueParts');
        return createQueueParts(services);
      },
      (error) => {
        log.error('The queue file has no help', String(error));
      },
    ),
  );
  return {
    services,
    liveActions,
    expectedStarts,
    dispose: () => {
      parts.dispose();
    },
  };
}

/** Returns what the workspace remembers of a queue. In a workspace of several folders, each has a part of its own. */
function findMemory(
  { workspaceState }: vscode.ExtensionContext,
  { queueFile, folder }: QueuePlace,
): vscode.Memento {
  const isOnly = vscode.workspace.workspaceFile === undefined || queueFile === null;
  return isOnly ? workspaceState : memoryOfFolder(workspaceState, folder);
}
