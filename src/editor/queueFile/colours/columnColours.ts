import * as vscode from 'vscode';
import { CSV_FILES, parseQueueFile } from '../parseQueueFile';
import { TOKEN_TYPES } from './tokenTypes';

/** Colours the cells of the queue file by column, near what is visible. The header decides which column is where. */
export function createColumnColours(queueFile: string): vscode.Disposable {
  return vscode.languages.registerDocumentRangeSemanticTokensProvider(
    CSV_FILES,
    {
      async provideDocumentRangeSemanticTokens(document, { start, end }, cancel) {
        const parsed = await parseQueueFile(document, queueFile);
        if (parsed === null || cancel.isCancellationRequested) return undefined;
        const { planTokens } = await import('./columnTokens');
        const builder = new vscode.SemanticTokensBuilder();
        for (const { line, character, length, type } of planTokens(parsed, start.line, end.line))
          builder.push(line, character, length, TOKEN_TYPES.indexOf(type));
        return builder.build();
      },
    },
    new vscode.SemanticTokensLegend([...TOKEN_TYPES]),
  );
}
