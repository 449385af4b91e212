import type * as vscode from 'vscode';
import type { Attachment } from '../form/attachments';

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
