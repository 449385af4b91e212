import { randomBytes } from 'node:crypto';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { TaskId } from '../../domain/task/task';
import { COMMANDS, commandId } from '../commandIds';
import type { ExtensionServices } from '../state/extensionServices';
import type { OpenedQueue } from '../state/openedQueue';
import { findOwnCommands } from '../state/ownCommands';
import { viewModelOf } from '../state/queueState';
import { showFailure } from '../status/failures';
import { AttemptReader, findAttempt } from './attemptReader';
import { canOpenSession, openSession } from './openSession';
import { composeDocument } from './page/document';
import { readMessage, SentPage, type PageMessage } from './page/messages';
import { renderParts, type KnownAttempt } from './page/pageParts';

/** Milliseconds between two looks at the output of a running attempt, while its page is visible. */
const LOOK_MS = 1_000;

/** Type of the panel. */
const VIEW_TYPE = 'claudeQueue.attempt';

/** Open panels of each window's queue, by task. */
const PANELS = new WeakMap<ExtensionServices['queueModel'], Map<TaskId, AttemptPanel>>();

/** Tab that shows an attempt of a task as a document. */
export class AttemptPanel {
  private readonly sent = new SentPage();
  /** Number of the chosen attempt; null: the newest. */
  private chosen: number | null = null;
  private read: { readonly reader: AttemptReader; readonly known: KnownAttempt } | null = null;
  private timer: NodeJS.Timeout | null = null;
  private current: Promise<void> | null = null;
  private isAgain = false;
  /** The page listens. VS Code loads it again whenever it becomes visible. */
  private isReady = false;

  /** Shows an attempt of a task, null: the newest, in its open tab or in a new one. */
  static show(services: ExtensionServices, id: TaskId, number: number | null): void {
    const panels = PANELS.get(services.queueModel) ?? new Map<TaskId, AttemptPanel>();
    PANELS.set(services.queueModel, panels);
    const open = panels.get(id);
    if (open !== undefined) {
      open.choose(number);
      open.panel.reveal();
      return;
    }
    const media = vscode.Uri.file(path.join(path.dirname(services.program), '..', 'media', 'attempt'));
    const panel = vscode.window.createWebviewPanel(
      VIEW_TYPE,
      `Task ${String(id)}`,
      vscode.ViewColumn.Active,
      { enableScripts: true, enableFindWidget: true, localResourceRoots: [media] },
    );
    const created = new AttemptPanel(services, id, panel);
    created.chosen = number;
    panels.set(id, created);
    panel.onDidDispose(() => {
      panels.delete(id);
      created.dispose();
    });
    const { webview } = panel;
    webview.html = composeDocument({
      script: String(webview.asWebviewUri(vscode.Uri.joinPath(media, 'page.js'))),
      style: String(webview.asWebviewUri(vscode.Uri.joinPath(media, 'page.css'))),
      styleSource: webview.cspSource,
      nonce: randomBytes(16).toString('base64'),
    });
  }

  private readonly subscription: vscode.Disposable;

  private constructor(
    private readonly services: ExtensionServices,
    private readonly id: TaskId,
    private readonly panel: vscode.WebviewPanel,
  ) {
    this.subscription = vscode.Disposable.from(
      services.queueModel.onDidChange(() => {
        this.refresh();
      }),
      panel.onDidChangeViewState(() => {
        if (panel.visible) return;
        this.isReady = false;
        this.stop();
      }),
      panel.webview.onDidReceiveMessage((value: unknown) => {
        const message = readMessage(value);
        if (message !== null) void this.receive(message);
      }),
    );
  }

  private dispose(): void {
    this.subscription.dispose();
    this.isReady = false;
    this.stop();
  }

  private stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  private choose(number: number | null): void {
    this.chosen = number;
    this.restart();
  }

  /** Fills the page from its beginning. */
  private restart(): void {
    this.read = null;
    this.refresh();
  }

  private async receive(message: PageMessage): Promise<void> {
    try {
      await this.act(message);
    } catch (error) {
      await showFailure(this.services, 'showAttempt', error);
    }
  }

  private async act(message: PageMessage): Promise<void> {
    switch (message.kind) {
      case 'ready':
        this.isReady = true;
        this.restart();
        return;
      case 'attempt':
        this.choose(message.number);
        return;
      case 'file':
        await this.openFile(message.path, message.line);
        return;
      case 'command':
        await this.runCommand(message.name);
        return;
      case 'continue':
        if (this.read !== null) await openSession(this.services, this.read.known, message.where);
    }
  }

  /** Carries out a command of this extension on the task. */
  private async runCommand(name: string): Promise<void> {
    const command = COMMANDS.find((each) => each === name);
    if (command !== undefined) await vscode.commands.executeCommand(commandId(command), this.id);
  }

  private async openFile(name: string, line = 1): Promise<void> {
    const file = this.read?.reader.files.locate(name) ?? null;
    if (file === null) {
      void vscode.window.showInformationMessage(`${name} is not in the working directory any more.`);
      return;
    }
    const at = new vscode.Position(line - 1, 0);
    await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(at, at) });
  }

  /** Brings the page up to date: one look at a time, and another one if something changed meanwhile. */
  private refresh(): void {
    if (!this.isReady) return;
    this.isAgain = true;
    this.current ??= this.lookUntilDone().finally(() => {
      this.current = null;
    });
  }

  private async lookUntilDone(): Promise<void> {
    while (this.isAgain && this.isReady) {
      this.isAgain = false;
      try {
        await this.look();
      } catch (error) {
        this.stop();
        this.services.log.warn(`Attempt of task ${String(this.id)} could not be shown: ${String(error)}`);
      }
    }
  }

  private async look(): Promise<void> {
    const session = await this.services.queueModel.useQueue();
    await session.use(() => this.show(session));
  }

  private async show(session: OpenedQueue): Promise<void> {
    const viewModel = viewModelOf(this.services.queueModel.state) ?? (await session.look());
    const known = await findAttempt(session, viewModel, this.id, this.chosen);
    // An attempt that was running stays chosen when the next one starts; "Show Attempt" chooses the newest again.
    this.chosen = known.number;
    const isNew = this.read === null;
    const reader = this.read?.reader ?? new AttemptReader(session, known);
    this.read = { reader, known };
    await reader.read();
    await reader.readRefusals(known);
    const blocks = reader.blocks(known);
    const parts = renderParts(known, {
      moment: { now: session.queueContext.host.clock.now(), timeZone: viewModel.world.timeZone },
      isTrusted: vscode.workspace.isTrusted,
      listed: findOwnCommands(this.services),
      hasExtension: canOpenSession(known),
      now: reader.now,
      notes: reader.notes(known, blocks),
    });
    this.follow(known);
    this.panel.title = `Task ${String(this.id)}, Attempt ${String(known.number)}`;
    if (isNew) this.sent.clear();
    await this.panel.webview.postMessage(this.sent.update(parts, blocks, known.claim !== null));
  }

  private follow({ claim }: KnownAttempt): void {
    if (claim === null || !this.isReady) this.stop();
    else
      this.timer ??= setInterval(() => {
        this.refresh();
      }, LOOK_MS);
  }
}
