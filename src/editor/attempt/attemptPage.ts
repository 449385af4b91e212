import * as vscode from 'vscode';
import type { TaskId } from '../../domain/task/task';
import { t } from '../../platform/text/translate';
import { COMMANDS } from '../commandIds';
import type { OpenAttempt } from '../pages/openPages';
import { readPageFile } from '../pages/pageFile';
import { createPanel, PagePanel } from '../pages/pagePanel';
import { callCommand } from '../callCommand';
import type { ExtensionServices } from '../state/extensionServices';
import type { Queues } from '../state/queues';
import type { OpenedQueue } from '../state/openedQueue';
import { findOwnCommands } from '../state/ownCommands';
import { viewModelOf } from '../state/queueState';
import { AttemptReader, findAttempt } from './attemptReader';
import { canOpenSession, openSession } from './openSession';
import { composeAttempt } from './page/document';
import {
  readMessage,
  readShown,
  SentPage,
  type PageMessage,
  type PageUpdate,
  type SentUpdate,
} from './page/messages';
import { renderParts, renderUnread, type KnownAttempt } from './page/pageParts';
import { showInformation } from '../messages';

/** Milliseconds between two looks at the output of a running attempt, while its page is visible. */
const LOOK_MS = 1_000;

/** Kind of the page. */
const KIND = 'attempt';

/** Page that shows an attempt of a task as a document. */
export class AttemptPage extends PagePanel implements OpenAttempt {
  private readonly sent = new SentPage();
  private read: { readonly reader: AttemptReader; readonly known: KnownAttempt } | null = null;
  private timer: NodeJS.Timeout | null = null;
  private current: Promise<void> | null = null;
  private isAgain = false;
  /** The page listens. VS Code loads it again whenever it becomes visible. */
  private isReady = false;

  /** Shows an attempt of a task, null: the newest, in its open tab or in a new one. */
  static async show(services: ExtensionServices, id: TaskId, number: number | null): Promise<void> {
    const open = services.attempts.find(String(id));
    if (open === undefined) {
      const panel = createPanel(services, KIND, nameAttempt(id, number));
      return AttemptPage.fill(services, panel, id, number);
    }
    open.choose(number);
    open.reveal();
  }

  /** Shows the attempt that a tab showed before the window was loaded again; closes the tab if it is not known. */
  static async restore(queues: Queues, panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const shown = readShown(state);
    const services = queues.find(shown?.queue)?.services;
    const isOpen = shown !== null && services?.attempts.find(String(shown.id)) !== undefined;
    if (shown === null || services === undefined || isOpen) panel.dispose();
    else await AttemptPage.fill(services, panel, shown.id, shown.number);
  }

  private static async fill(
    services: ExtensionServices,
    panel: vscode.WebviewPanel,
    id: TaskId,
    number: number | null,
  ): Promise<void> {
    const page = new AttemptPage(services, panel, id, number);
    services.attempts.add(String(id), page);
    const { program } = services;
    const [script, style] = await Promise.all([
      readPageFile(program, 'media/attempt/page.js'),
      readPageFile(program, 'media/attempt/page.css'),
    ]);
    await page.draw(composeAttempt(nameAttempt(id, number), { script, style }));
  }

  private constructor(
    private readonly services: ExtensionServices,
    panel: vscode.WebviewPanel,
    private readonly id: TaskId,
    /** Number of the chosen attempt; null: the newest. */
    private chosen: number | null,
  ) {
    super(panel, services);
    const changes = services.queueModel.onDidChange(() => {
      this.refresh();
    });
    const hide = (): void => {
      this.isReady = false;
      this.stop();
    };
    this.onDidHide(hide);
    this.onDidClose(() => {
      changes.dispose();
      hide();
    });
    this.listen(readMessage, (message) => this.act(message));
  }

  private stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  /** Shows another attempt of its task; null: the newest. */
  choose(number: number | null): void {
    this.chosen = number;
    this.restart();
  }

  /** Fills the page from its beginning. */
  private restart(): void {
    this.read = null;
    this.refresh();
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
    if (command !== undefined) await callCommand(this.services, command, this.id);
  }

  private async openFile(name: string, line = 1): Promise<void> {
    const file = this.read?.reader.files.locate(name) ?? null;
    if (file === null) {
      void showInformation(t('{0} is not in the working directory any more.', name));
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
        await this.showFailure(error);
      }
    }
  }

  /** Says on an empty page why there is nothing; what a page shows stays. */
  private async showFailure(error: unknown): Promise<void> {
    const { describeError } = await import('../../app/present/problems/problem');
    const why = describeError(error);
    this.services.log.warn(`Attempt of task ${String(this.id)} could not be shown: ${why}`);
    if (this.read !== null) return;
    await this.send({ parts: renderUnread(this.id, why), blocks: [], gone: null, isRunning: false });
  }

  private async look(): Promise<void> {
    const session = await this.services.queueModel.useQueue();
    await session.use(() => this.update(session));
  }

  private async update(session: OpenedQueue): Promise<void> {
    const viewModel = viewModelOf(this.services.queueModel.state) ?? (await session.look());
    const { chosen } = this;
    const known = await findAttempt(session, viewModel, this.id, chosen);
    // The user chose another one meanwhile: the next look shows that.
    if (this.chosen !== chosen) return;
    // An attempt that was running stays chosen when the next one starts; "Show Attempt" chooses the newest again.
    this.chosen = known.number;
    const isNew = this.read === null;
    const reader = this.read?.reader ?? new AttemptReader(session, known);
    this.read = { reader, known };
    await reader.read();
    await reader.readRefusals(session, known);
    const blocks = reader.blocks(known);
    const parts = renderParts(known, {
      moment: session.queueContext.moment(),
      isTrusted: vscode.workspace.isTrusted,
      listed: findOwnCommands(this.services),
      hasExtension: canOpenSession(known),
      now: reader.now,
      notes: reader.notes(known, blocks),
    });
    this.follow(known);
    this.setTitle(nameAttempt(this.id, known.number));
    if (isNew) this.sent.clear();
    await this.send(this.sent.update(parts, blocks, known.claim !== null));
  }

  private async send(update: PageUpdate): Promise<void> {
    const shown = { queue: this.services.key, id: this.id, number: this.chosen };
    await this.post({ ...update, shown } satisfies SentUpdate);
  }

  private follow({ claim }: KnownAttempt): void {
    if (claim === null || !this.isReady) this.stop();
    else
      this.timer ??= setInterval(() => {
        this.refresh();
      }, LOOK_MS);
  }
}

/** Name of an attempt, null: of the newest. */
function nameAttempt(id: TaskId, number: number | null): string {
  return number === null ? t('Task {0}', id) : t('Task {0}, Attempt {1}', id, number);
}
