import type * as vscode from 'vscode';
import type { PageContent } from './pageHtml';
import { Page } from './page';

/** Pages of a window: webviews that show HTML. At most one of each kind is open. */
export class Pages implements vscode.Disposable {
  private readonly open = new Map<string, Page>();

  constructor(private readonly log: vscode.LogOutputChannel) {}

  /** Returns the open page of this kind, in front; opens it if there is none. */
  show(kind: string, title: PageContent['title']): Page {
    const known = this.open.get(kind);
    if (known !== undefined) {
      known.reveal();
      return known;
    }
    const page = new Page(kind, title, this.log);
    this.open.set(kind, page);
    page.onDidClose(() => this.open.delete(kind));
    return page;
  }

  dispose(): void {
    for (const page of [...this.open.values()]) page.close();
  }
}
