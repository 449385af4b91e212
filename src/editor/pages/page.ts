import * as vscode from 'vscode';
import { showFailure } from '../status/failures';
import type { Html } from './html';
import type { PageContent } from './pageHtml';
import type { PageMessage } from './pageMessage';

/** Actions of a page by name. Others are ignored. */
export type PageActions = Readonly<Record<string, (message: PageMessage) => Promise<void>>>;

/** Webview that shows one content at a time, and calls the actions of that content. */
export class Page {
  private readonly panel: vscode.WebviewPanel;
  private actions: PageActions = {};
  /** Buttons whose actions have not ended: a second press is ignored. */
  private readonly running = new Set<string>();
  private closed = false;

  constructor(
    kind: string,
    title: string,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.panel = vscode.window.createWebviewPanel(
      `claudeQueue.${kind}`,
      title,
      { viewColumn: vscode.ViewColumn.Active },
      { enableScripts: true, localResourceRoots: [], enableFindWidget: true },
    );
    this.panel.webview.onDidReceiveMessage((message: unknown) => this.receive(message));
    this.panel.onDidDispose(() => {
      this.closed = true;
    });
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** Calls back when the user or the extension has closed the page. */
  onDidClose(listener: () => void): vscode.Disposable {
    return this.panel.onDidDispose(listener);
  }

  /** Shows this content with its actions, in place of what was there. */
  async show(content: PageContent, actions: PageActions): Promise<void> {
    const [{ composePage }, { randomBytes }] = await Promise.all([
      import('./pageHtml'),
      import('node:crypto'),
    ]);
    if (this.closed) return;
    this.actions = actions;
    this.panel.title = content.title;
    this.panel.webview.html = composePage(content, randomBytes(24).toString('base64url'));
  }

  /** Shows a hidden element of the page. */
  async unhide(id: string): Promise<void> {
    if (!this.closed) await this.panel.webview.postMessage({ show: id });
  }

  /** Replaces the content of an element of the page. */
  async replace(id: string, { source }: Html): Promise<void> {
    if (!this.closed) await this.panel.webview.postMessage({ replace: id, html: source });
  }

  reveal(): void {
    this.panel.reveal();
  }

  close(): void {
    this.panel.dispose();
  }

  private async receive(message: unknown): Promise<void> {
    const { readMessage } = await import('./pageMessage');
    const read = readMessage(message);
    const act =
      read === null || !Object.hasOwn(this.actions, read.action) ? undefined : this.actions[read.action];
    if (read === null || act === undefined) {
      this.log.warn('A page sent a message that it does not offer.');
      return;
    }
    const press = `${read.action} ${read.value}`;
    if (this.running.has(press)) return;
    this.running.add(press);
    try {
      await act(read);
    } catch (error) {
      await showFailure({ log: this.log }, this.panel.title, error);
    } finally {
      this.running.delete(press);
    }
  }
}
