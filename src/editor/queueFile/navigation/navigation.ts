import * as vscode from 'vscode';
import type { TaskId } from '../../../domain/task/task';
import { toEditorRange } from '../document/editorRange';
import type { QueueDocument } from '../document/queueDocument';
import type { TextPosition, TextRange } from '../document/textRange';
import { CSV_FILES, parseQueueFile, parseWhenQuiet } from '../parseQueueFile';
import type { OutlineEntry } from './outline';

/** Creates outline, folding, definition and references of the queue file, saved or not. */
export function createNavigation(queueFile: string): vscode.Disposable {
  const { languages } = vscode;
  return vscode.Disposable.from(
    languages.registerDocumentSymbolProvider(CSV_FILES, {
      provideDocumentSymbols: (document, cancel) => provideOutline(document, queueFile, cancel),
    }),
    languages.registerFoldingRangeProvider(CSV_FILES, {
      provideFoldingRanges: (document, _context, cancel) => provideFolds(document, queueFile, cancel),
    }),
    languages.registerDefinitionProvider(CSV_FILES, {
      provideDefinition: (document, position) =>
        findPlaces({ document, queueFile, position }, async (parsed, id) => {
          const { findOwn } = await import('./ids');
          return findOwn(parsed, id);
        }),
    }),
    languages.registerReferenceProvider(CSV_FILES, {
      provideReferences: (document, position, { includeDeclaration }) =>
        findPlaces({ document, queueFile, position }, async (parsed, id) => {
          const { findDependents, findOwn } = await import('./ids');
          return [...(includeDeclaration ? findOwn(parsed, id) : []), ...findDependents(parsed, id)];
        }),
    }),
  );
}

async function provideOutline(
  document: vscode.TextDocument,
  queueFile: string,
  cancel: vscode.CancellationToken,
): Promise<vscode.DocumentSymbol[] | undefined> {
  const parsed = await parseWhenQuiet(document, queueFile, cancel);
  if (parsed === null) return undefined;
  const { planOutline } = await import('./outline');
  const outline = planOutline(parsed);
  return outline === null ? [] : [toSymbol(outline)];
}

const SYMBOLS = {
  tasks: vscode.SymbolKind.Array,
  task: vscode.SymbolKind.Event,
  cell: vscode.SymbolKind.Field,
} as const;

function toSymbol({ kind, name, range, children }: OutlineEntry): vscode.DocumentSymbol {
  const place = toEditorRange(range);
  const start = new vscode.Range(place.start, place.start);
  const symbol = new vscode.DocumentSymbol(name, '', SYMBOLS[kind], place, kind === 'cell' ? place : start);
  symbol.children = children.map(toSymbol);
  return symbol;
}

async function provideFolds(
  document: vscode.TextDocument,
  queueFile: string,
  cancel: vscode.CancellationToken,
): Promise<vscode.FoldingRange[] | undefined> {
  const parsed = await parseWhenQuiet(document, queueFile, cancel);
  if (parsed === null) return undefined;
  const { planFolds } = await import('./folding');
  return planFolds(parsed).map(({ firstLine, lastLine }) => new vscode.FoldingRange(firstLine, lastLine));
}

/** Position in a document that may be the queue file. */
interface Asked {
  readonly document: vscode.TextDocument;
  readonly queueFile: string;
  readonly position: TextPosition;
}

/** Returns the places that `find` gives for the id at a position; none where there is no id. */
async function findPlaces(
  { document, queueFile, position }: Asked,
  find: (parsed: QueueDocument, id: TaskId) => Promise<readonly TextRange[]>,
): Promise<vscode.Location[]> {
  const parsed = await parseQueueFile(document, queueFile);
  if (parsed === null) return [];
  const { findIdAt } = await import('./ids');
  const found = findIdAt(parsed, position);
  if (found === undefined) return [];
  const places = await find(parsed, found.id);
  return places.map((place) => new vscode.Location(document.uri, toEditorRange(place)));
}
