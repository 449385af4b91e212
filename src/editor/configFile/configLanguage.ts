import * as vscode from 'vscode';
import type { SettingScope } from '../../domain/settings/setting';
import { t } from '../../platform/text/translate';
import type { ExtensionServices } from '../state/extensionServices';
import { OWN_SOURCE } from '../ownDiagnostics';
import { isSameFile, settingsFiles } from '../state/queuePlace';
import type { QueuesChange } from '../state/queues';
import type { ConfigProblem } from './configProblems';

interface Files extends Pick<ExtensionServices, 'settings'> {
  /** Returns the queue files of the window. */
  readonly queueFiles: () => readonly string[];
  readonly onDidChangeQueues: vscode.Event<QueuesChange>;
}

/** By path, never by language: other extensions may change the language. */
const SELECTOR = { scheme: 'file', pattern: '**/config.yaml' } as const;

/** Creates completion, hovers, diagnostics and quick fixes for the settings files of the queues and of the user. */
export function createConfigLanguage(files: Files): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(SELECTOR, completionOf(files), ' ', ':'),
    vscode.languages.registerHoverProvider(SELECTOR, hoverOf(files)),
    vscode.languages.registerCodeActionsProvider(SELECTOR, fixesOf(files), {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
    diagnose(files),
  );
}

/** Returns whose settings a document has; null if it is no settings file. */
function scopeOf({ uri }: vscode.TextDocument, { queueFiles, settings }: Files): SettingScope | null {
  if (uri.scheme !== 'file' || !uri.path.endsWith('/config.yaml')) return null;
  const isFile = (file: string): boolean => uri.fsPath === file || isSameFile(uri.fsPath, file);
  if (settingsFiles({ queueFile: null }, settings).some(isFile)) return 'machine';
  const own = queueFiles().flatMap((queueFile) => settingsFiles({ queueFile }, settings));
  return own.some(isFile) ? 'queue' : null;
}

function completionOf(files: Files): vscode.CompletionItemProvider {
  return {
    async provideCompletionItems(document, position) {
      const scope = scopeOf(document, files);
      if (scope === null) return undefined;
      const { completeConfig } = await import('./configCompletion');
      const { line, character } = position;
      const lines = document.getText().split(/\r?\n/);
      const zones = Intl.supportedValuesOf('timeZone');
      const { entries, replaced } = completeConfig({ lines, line, character }, scope, zones);
      const range = new vscode.Range(position.translate(0, -replaced), position);
      return entries.map(({ label, insertText, detail, documentation, isName }, index) => {
        const { Property, Value } = vscode.CompletionItemKind;
        const item = new vscode.CompletionItem({ label, description: detail }, isName ? Property : Value);
        item.insertText = insertText;
        item.range = range;
        item.sortText = String(index).padStart(4, '0');
        if (documentation !== undefined) item.documentation = new vscode.MarkdownString(documentation);
        if (isName) item.command = { title: '', command: 'editor.action.triggerSuggest' };
        return item;
      });
    },
  };
}

function hoverOf(files: Files): vscode.HoverProvider {
  return {
    async provideHover(document, position) {
      if (scopeOf(document, files) === null) return undefined;
      const { describeAt } = await import('./configHover');
      const { parseConfig } = await import('../../platform/files/configText');
      const found = describeAt(await parseConfig(document.getText()), document.offsetAt(position));
      if (found === null) return undefined;
      return new vscode.Hover(new vscode.MarkdownString(found.text), toRange(document, found));
    },
  };
}

function fixesOf(files: Files): vscode.CodeActionProvider {
  return {
    async provideCodeActions(document, range, { diagnostics }) {
      const scope = scopeOf(document, files);
      if (scope === null) return [];
      const problems = await findProblems(document, scope);
      return problems.flatMap((problem) => {
        const place = toRange(document, problem);
        const { meant } = problem;
        if (meant === undefined || place.intersection(range) === undefined) return [];
        const action = new vscode.CodeAction(t('Replace with {0}', meant), vscode.CodeActionKind.QuickFix);
        action.edit = new vscode.WorkspaceEdit();
        action.edit.replace(document.uri, place, meant);
        action.diagnostics = diagnostics.filter((one) => one.range.isEqual(place));
        action.isPreferred = true;
        return [action];
      });
    },
  };
}

async function findProblems(
  document: vscode.TextDocument,
  scope: SettingScope,
): Promise<readonly ConfigProblem[]> {
  const { findConfigProblems } = await import('./configProblems');
  const { parseConfig } = await import('../../platform/files/configText');
  return findConfigProblems(await parseConfig(document.getText()), scope);
}

/** Keeps the problems of open settings files in the list of problems, saved or not. */
function diagnose(files: Files): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('claudeQueueSettings');
  const check = async (document: vscode.TextDocument): Promise<void> => {
    const scope = scopeOf(document, files);
    if (scope === null) {
      // Called for each key in any document.
      if (collection.has(document.uri)) collection.delete(document.uri);
      return;
    }
    const { version } = document;
    const problems = await findProblems(document, scope);
    if (document.isClosed || document.version !== version || scopeOf(document, files) !== scope) return;
    const found = problems.map((problem) => {
      const { Error } = vscode.DiagnosticSeverity;
      const diagnostic = new vscode.Diagnostic(toRange(document, problem), problem.message, Error);
      diagnostic.source = OWN_SOURCE;
      return diagnostic;
    });
    collection.set(document.uri, found);
  };
  const start = (document: vscode.TextDocument): void => void check(document);
  const startAll = (): void => vscode.workspace.textDocuments.forEach(start);
  startAll();
  return vscode.Disposable.from(
    collection,
    // Documents may be open before their queue is, and after it.
    files.onDidChangeQueues((change) => {
      if (change === 'list') startAll();
    }),
    vscode.workspace.onDidOpenTextDocument(start),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      start(document);
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      collection.delete(uri);
    }),
  );
}

function toRange(
  document: vscode.TextDocument,
  { start, end }: { readonly start: number; readonly end: number },
): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
