import type * as vscode from 'vscode';
import { OpenPages } from './openPages';
import { Page } from './page';
import type { PageContent } from './pageHtml';
import { createPanel, type PanelServices } from './pagePanel';

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
