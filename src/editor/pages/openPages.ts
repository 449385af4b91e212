import type * as vscode from 'vscode';
import type { Attachment } from '../form/attachments';
import type { PromptEvent } from '../form/promptFile';
import { Page } from './page';
import type { PageContent } from './pageHtml';
import { createPanel, type PanelServices } from './pagePanel';

/** Page that is open in a tab. */
export interface OpenPage {
  close(): void;
  onDidClose(listener: () => void): vscode.Disposable;
}

/** Page of an attempt. */
export interface OpenAttempt extends OpenPage {
  /** Shows another attempt of its task; null: the newest. */
  choose(number: number | null): void;
  reveal(): void;
}

/** Form of a task. */
export interface OpenForm extends OpenPage {
  /** Shows the form, and adds context to its prompt. */
  showWith(attachments: readonly Attachment[]): void;
  /** Follows the editor in which its prompt is open. */
  followPrompt(event: PromptEvent): Promise<void>;
}

/** Pages of one kind that are open in this window, by key. They close with the queue that they show. */
export class OpenPages<P extends OpenPage> implements vscode.Disposable {
  private readonly pages = new Map<string, P>();

  /** Returns the open page with this key, if there is one. */
  find(key: string): P | undefined {
    return this.pages.get(key);
  }

  /** Keeps a page until it is closed. */
  add(key: string, page: P): void {
    this.pages.set(key, page);
    page.onDidClose(() => {
      if (this.pages.get(key) === page) this.pages.delete(key);
    });
  }

  dispose(): void {
    for (const page of [...this.pages.values()]) page.close();
  }
}

/** Pages of a queue in a window with the script of every page. At most one of each kind is open. */
export class Pages extends OpenPages<Page> {
  constructor(private readonly services: PanelServices) {
    super();
  }

  /** Returns the open page of this kind, in front; opens it if there is none. */
  show(kind: string, title: PageContent['title']): Page {
    const known = this.find(kind);
    if (known !== undefined) {
      known.reveal();
      return known;
    }
    return this.adopt(kind, createPanel(this.services, kind, title));
  }

  /**
   * Brings the open page of this kind to the front. Returns a function that returns it later, where it is then; opens one
   * if there was none.
   */
  prepare(kind: string, title: PageContent['title']): () => Page {
    const known = this.find(kind);
    known?.reveal();
    return () => known ?? this.show(kind, title);
  }

  /** Returns a page of this kind in a tab that is open already. */
  adopt(kind: string, panel: vscode.WebviewPanel): Page {
    const page = new Page(panel, this.services);
    this.add(kind, page);
    return page;
  }
}
