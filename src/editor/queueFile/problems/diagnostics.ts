import * as vscode from 'vscode';
import { OWN_SOURCE } from '../../ownDiagnostics';
import type { ExtensionServices } from '../../state/extensionServices';
import { isQueueFile } from '../../state/queuePlace';
import { viewModelOf } from '../../state/queueState';
import { toEditorRange } from '../document/editorRange';
import { findContext } from '../findContext';
import type { OpenFileProblems } from './openFileProblems';
import type { PlacedProblem } from './placeProblems';

/** Pause after the last key before a document is checked. */
const PAUSE_MS = 300;

/**
 * Shows what is wrong in the queue file in the list of problems: of an open document as it is, saved or not, at the
 * cells; else what the queue found in the file.
 */
export class Diagnostics implements vscode.Disposable {
  private readonly collection: vscode.DiagnosticCollection;
  private readonly subscription: vscode.Disposable;
  private live: OpenFileProblems | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly services: ExtensionServices) {
    this.collection = vscode.languages.createDiagnosticCollection(`claudeQueue ${services.key}`.trim());
    const showSoon = (): void => this.schedule(0);
    this.subscription = vscode.Disposable.from(
      services.queueModel.onDidChange(showSoon),
      vscode.workspace.onDidOpenTextDocument(showSoon),
      vscode.workspace.onDidCloseTextDocument(showSoon),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && isQueueFile(document.uri, services.queueFile))
          this.schedule(PAUSE_MS);
      }),
    );
    showSoon();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscription.dispose();
    this.collection.dispose();
  }

  private schedule(pauseMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.show().catch((error: unknown) => {
        this.services.log.error('The queue file could not be checked', String(error));
      });
    }, pauseMs);
  }

  /** Shows problems under the path by which the file is open, so that each is listed once. */
  private async show(): Promise<void> {
    const { queueFile } = this.services;
    if (queueFile === null) return;
    const open = findOpen(queueFile);
    const found = await (open === undefined ? this.diagnoseClosed(queueFile) : this.diagnoseOpen(open));
    // The document was changed, opened or closed meanwhile: another check follows.
    if (found === null) return;
    this.collection.clear();
    if (found.length > 0) this.collection.set(open?.uri ?? vscode.Uri.file(queueFile), found);
  }

  private async diagnoseOpen(open: vscode.TextDocument): Promise<vscode.Diagnostic[] | null> {
    const queueContext = await findContext(this.services);
    if (queueContext === null) return [];
    const { parseOpen } = await import('../document/openDocuments');
    const { OpenFileProblems: Live } = await import('./openFileProblems');
    const { version } = open;
    const context = queueContext.rowContext();
    this.live ??= new Live(context);
    const problems = await this.live.find(parseOpen(open), context);
    if (open.isClosed || open.version !== version) return null;
    return problems.map((problem) => toDiagnostic(problem, open.uri));
  }

  /** Returns what the queue found in a file that is not open, at the cells of its text. */
  private async diagnoseClosed(queueFile: string): Promise<vscode.Diagnostic[] | null> {
    const problems = viewModelOf(this.services.queueModel.state)?.snapshot.problems ?? [];
    if (problems.length === 0) return [];
    const { placeClosedFileProblems } = await import('./closedFileProblems');
    const placed = await placeClosedFileProblems(queueFile, problems);
    if (findOpen(queueFile) !== undefined) return null;
    const uri = vscode.Uri.file(queueFile);
    return placed.map((problem) => toDiagnostic(problem, uri));
  }
}

function findOpen(queueFile: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri }) => isQueueFile(uri, queueFile));
}

function toDiagnostic(
  { range, message, severity, related }: PlacedProblem,
  uri: vscode.Uri,
): vscode.Diagnostic {
  const { Error, Warning } = vscode.DiagnosticSeverity;
  const diagnostic = new vscode.Diagnostic(
    toEditorRange(range),
    message,
    severity === 'error' ? Error : Warning,
  );
  diagnostic.source = OWN_SOURCE;
  diagnostic.relatedInformation = related.map(
    (other) =>
      new vscode.DiagnosticRelatedInformation(
        new vscode.Location(uri, toEditorRange(other.range)),
        other.message,
      ),
  );
  return diagnostic;
}
