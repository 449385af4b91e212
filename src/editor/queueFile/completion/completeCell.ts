import type { QueueViewModel } from '../../../app/viewModel/queueViewModel';
import { RULE_END } from '../../../queue/row/meaning';
import type { DocumentCell } from '../document/documentCell';
import { textBefore } from '../document/documentCell';
import type { FoundCell, QueueDocument } from '../document/queueDocument';
import type { TextPosition } from '../document/textRange';
import type { Candidate, Candidates } from './candidate';
import { dependencyCandidates } from './taskCandidates';
import { intervalCandidates, timeCandidates } from './timeCandidates';
import {
  columnCandidates,
  fixedCandidates,
  modeCandidates,
  modelCandidates,
  priorityCandidates,
  usedIn,
} from './wordCandidates';
import { t } from '../../../platform/text/translate';

/** Everything besides the text that decides what may be written. */
export interface CompletionContext {
  readonly viewModel: QueueViewModel;
  /** Returns the folders in a folder, which is relative to the queue's workspace. */
  readonly listFolders: (folder: string) => Promise<readonly string[]>;
  /** Returns the files in such a folder. */
  readonly listFiles: (folder: string) => Promise<readonly string[]>;
}

/** Columns whose cells have several parts. */
const SEPARATED = new Set(['dependencies', 'tags', 'allowed_tools']);

/** Returns what may be written at a position in a cell. What is written there already is left out. */
export async function completeCell(
  document: QueueDocument,
  { cell, row }: FoundCell,
  position: TextPosition,
  context: CompletionContext,
): Promise<Candidates> {
  const { from, to } = partAt(cell, position);
  const typed = textBefore(cell, position).slice(from);
  const list = await findCandidates(document, { cell, row }, typed, context);
  const written = cell.text.slice(from, to).trim();
  return { from, to, list: list.filter(({ text }) => text !== written) };
}

/** Returns the part of a cell at a position: between two separators, or the whole cell. */
function partAt(cell: DocumentCell, position: TextPosition): { readonly from: number; readonly to: number } {
  const { text, column } = cell;
  if (!SEPARATED.has(column ?? '')) return { from: 0, to: text.length };
  const at = textBefore(cell, position).length;
  const ends = [...text.matchAll(new RegExp(RULE_END, 'g'))].map(({ index }) => index);
  const before = ends.findLast((end) => end < at) ?? -1;
  return { from: before + 1, to: ends.find((end) => end >= at) ?? text.length };
}

async function findCandidates(
  document: QueueDocument,
  { cell, row }: FoundCell,
  typed: string,
  { viewModel, listFolders, listFiles }: CompletionContext,
): Promise<readonly Candidate[]> {
  if (row === null) return columnCandidates(document);
  const { world } = viewModel;
  const fixed = fixedCandidates(cell.column);
  if (fixed !== null) return fixed;
  switch (cell.column) {
    case 'priority':
      return priorityCandidates(world.settings);
    case 'permission_mode':
      return modeCandidates(world.settings);
    case 'model':
      return modelCandidates(document, row);
    case 'user':
    case 'callback_url':
      return usedIn(document, cell.column, row);
    case 'tags':
    case 'allowed_tools':
      return usedIn(document, cell.column, row, RULE_END);
    case 'dependencies':
      return dependencyCandidates(document, row, viewModel);
    case 'repeat_interval':
      return intervalCandidates(world);
    case 'scheduled_time':
    case 'deadline':
      return timeCandidates(typed, world);
    case 'working_dir':
      return folderCandidates(typed, viewModel, listFolders);
    case 'prompt_file':
      return fileCandidates(typed, { listFolders, listFiles });
    default:
      return [];
  }
}

/** Returns the folders and files in the folder that is written. */
async function fileCandidates(
  typed: string,
  { listFolders, listFiles }: Pick<CompletionContext, 'listFolders' | 'listFiles'>,
): Promise<readonly Candidate[]> {
  const parent = typed.slice(0, typed.lastIndexOf('/') + 1);
  const [folders, files] = await Promise.all([listFolders(parent), listFiles(parent)]);
  return [
    ...folders.map((name) => ({ text: `${parent}${name}/`, kind: 'folder' as const })),
    ...files.map((name) => ({ text: `${parent}${name}`, kind: 'file' as const })),
  ];
}

/** Returns the folders in the folder that is written, and the repositories of this machine. */
async function folderCandidates(
  typed: string,
  { world }: QueueViewModel,
  listFolders: CompletionContext['listFolders'],
): Promise<readonly Candidate[]> {
  const parent = typed.slice(0, typed.lastIndexOf('/') + 1);
  const folders = await listFolders(parent);
  const found = folders.map((name) => ({ text: `${parent}${name}`, kind: 'folder' as const }));
  if (parent !== '') return found;
  const repositories = [...world.settings.repositories.entries()].map(([name, folder]) => ({
    text: `repo:${name}`,
    detail: folder,
    kind: 'folder' as const,
  }));
  return [{ text: '.', detail: t("the queue's workspace"), kind: 'folder' }, ...found, ...repositories];
}
