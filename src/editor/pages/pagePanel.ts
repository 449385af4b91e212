import * as vscode from 'vscode';
import { showFailure } from '../status/failures';
import type { PageContent } from './pageHtml';
import { addFolderName } from '../state/folderName';
import type { WindowServices } from '../state/services';

/** Options of every page: it runs its own script and loads nothing. */
const OPTIONS: vscode.WebviewOptions = { enableScripts: true, localResourceRoots: [] };

/** Services of the queue that a page shows. */
export type PanelServices = Pick<WindowServices, 'key' | 'name' | 'redis' | 'log'>;

/** Returns the type of the panels for a kind of page. */
export function viewTypeOf(kind: string): string {
  return `claudeQueue.${kind}`;
}

/** Creates the tab for a page. */
export function createPanel(services: PanelServices, kind: string, title: string): vscode.WebviewPanel {
  const named = addFolderName(services, title);
  return vscode.window.createWebviewPanel(viewTypeOf(kind), named, vscode.ViewColumn.Active, {
    ...OPTIONS,
    enableFindWidget: true,
  });
}

/** Tab with a page. Its documents have a strict policy, and its messages are checked. */
export class PagePanel {
  private closed = false;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly queue: PanelServices,
  ) {
    panel.onDidDispose(() => {
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

  /** Calls back when the page is hidden. VS Code drops it then, and loads it again when it is shown. */
  onDidHide(listener: () => void): vscode.Disposable {
    return this.panel.onDidChangeViewState(() => {
      if (!this.panel.visible) listener();
    });
  }

  setTitle(title: string): void {
    if (!this.closed) this.panel.title = addFolderName(this.queue, title);
  }

  /** Draws a document in place of what was there. */
  async draw(content: PageContent): Promise<void> {
    const [{ composePage }, { randomBytes }] = await Promise.all([
      import('./pageHtml'),
      import('node:crypto'),
    ]);
    if (this.closed) return;
    const nonce = randomBytes(24).toString('base64url');
    this.setTitle(content.title);
    // A restored tab has no options yet.
    this.panel.webview.options = OPTIONS;
    this.panel.webview.html = composePage(content, { queue: this.queue.key, nonce });
  }

  /** Sends a message to the script of the page, unless it is closed. */
  async post(message: object): Promise<void> {
    if (!this.closed) await this.panel.webview.postMessage(message);
  }

  /** Carries out messages of the page. `read` returns null for those that the page may not send. */
  listen<T>(
    read: (message: unknown) => T | null | Promise<T | null>,
    act: (message: T) => Promise<void>,
  ): void {
    this.panel.webview.onDidReceiveMessage(async (message: unknown) => {
      const known = await read(message);
      if (known === null) {
        this.queue.log.warn('A page sent a message that it does not offer.');
        return;
      }
      try {
        await act(known);
      } catch (error) {
        await showFailure(this.queue, this.panel.title, error);
      }
    });
  }

  reveal(): void {
    this.panel.reveal();
  }

  close(): void {
    this.panel.dispose();
  }
}
