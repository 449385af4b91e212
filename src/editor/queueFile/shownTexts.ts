import * as vscode from 'vscode';
import { t } from '../../platform/text/translate';

const SCHEME = 'claude-queue';

/** Read-only texts that are shown in an editor and belong to no file. */
export class ShownTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly subscription: vscode.Disposable;

  constructor() {
    this.subscription = vscode.Disposable.from(
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === SCHEME) this.texts.delete(uri.path);
      }),
    );
  }

  provideTextDocumentContent({ path }: vscode.Uri): string {
    return this.texts.get(path) ?? t('This view expired when the window reloaded. Run the command again.');
  }

  /** Stores a text under a name, in place of an older one. */
  put(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    return uri;
  }

  /** Shows a text in an editor with that name. */
  async show(name: string, text: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.put(name, text));
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
  }

  /** Shows the difference of two texts. */
  async compare(title: string, before: string, now: string): Promise<void> {
    const sides = [this.put(t('{0}, before', title), before), this.put(t('{0}, now', title), now)];
    await vscode.commands.executeCommand('vscode.diff', ...sides, title, {
      preview: true,
      preserveFocus: true,
    });
  }

  dispose(): void {
    this.subscription.dispose();
  }
}
