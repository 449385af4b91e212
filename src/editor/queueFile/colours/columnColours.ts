import * as vscode from 'vscode';
import { CSV_FILES, parseWhenQuiet } from '../parseQueueFile';
import { TOKEN_TYPES } from './tokenTypes';

/**
 * Colours the cells of the queue file by column, near what is visible, and the name of the column at the cursor. The
 * header decides which column is where.
 */
export class ColumnColours implements vscode.Disposable {
  private registration: vscode.Disposable;

  constructor(private readonly queueFile: string) {
    this.registration = this.register();
  }

  /**
   * Makes VS Code ask for the colours again, for which its API has no event. With the colours of the header it also
   * draws the header again that it keeps above rows further down.
   */
  refresh(): void {
    this.registration.dispose();
    this.registration = this.register();
  }

  dispose(): void {
    this.registration.dispose();
  }

  private register(): vscode.Disposable {
    return vscode.languages.registerDocumentRangeSemanticTokensProvider(
      CSV_FILES,
      {
        provideDocumentRangeSemanticTokens: (document, range, cancel) =>
          this.provideTokens(document, range, cancel),
      },
      new vscode.SemanticTokensLegend([...TOKEN_TYPES]),
    );
  }

  private async provideTokens(
    document: vscode.TextDocument,
    { start, end }: vscode.Range,
    cancel: vscode.CancellationToken,
  ): Promise<vscode.SemanticTokens | undefined> {
    const parsed = await parseWhenQuiet(document, this.queueFile, cancel);
    if (parsed === null) return undefined;
    const { planHeaderTokens, planTokens } = await import('./columnTokens');
    const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
    const builder = new vscode.SemanticTokensBuilder();
    const tokens = [
      ...(editor === undefined ? [] : planHeaderTokens(parsed, editor.selection.active)),
      ...planTokens(parsed, start.line, end.line),
    ];
    for (const { line, character, length, type } of tokens)
      builder.push(line, character, length, TOKEN_TYPES.indexOf(type));
    return builder.build();
  }
}
