import type * as vscode from 'vscode';
import type { Html } from './html';
import type { PageContent } from './pageHtml';
import type { PageMessage } from './pageMessage';
import { PagePanel, type PanelServices } from './pagePanel';

/** Actions of a page by name. Others are ignored. */
export type PageActions = Readonly<Record<string, (message: PageMessage) => Promise<void>>>;

/** Page with the script of every page: it shows one content at a time, and calls the actions of that content. */
export class Page extends PagePanel {
  private actions: PageActions = {};
  /** Buttons whose actions have not ended: a second press is ignored. */
  private readonly running = new Set<string>();

  constructor(panel: vscode.WebviewPanel, services: PanelServices) {
    super(panel, services);
    this.listen(
      async (message) => {
        const { readMessage } = await import('./pageMessage');
        const read = readMessage(message);
        return read !== null && Object.hasOwn(this.actions, read.action) ? read : null;
      },
      (message) => this.act(message),
    );
  }

  /** Shows this content with its actions, in place of what was there. */
  async show(content: PageContent, actions: PageActions): Promise<void> {
    this.actions = actions;
    await this.draw(content);
  }

  /** Shows a hidden element of the page. */
  async unhide(id: string): Promise<void> {
    await this.post({ show: id });
  }

  /** Replaces the content of an element of the page. */
  async replace(id: string, { source }: Html): Promise<void> {
    await this.post({ replace: id, html: source });
  }

  private async act(message: PageMessage): Promise<void> {
    const press = `${message.action} ${message.value}`;
    if (this.running.has(press)) return;
    this.running.add(press);
    try {
      await this.actions[message.action]?.(message);
    } finally {
      this.running.delete(press);
    }
  }
}
