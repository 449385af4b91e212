import * as vscode from 'vscode';
import { queueKey } from '../../account/approvals';
import type { FoundChanges } from '../../app/actions/attempts/attemptChanges';
import { openTrees } from '../../app/context/attemptTrees';
import { describeLeftOut } from '../../app/present/attemptChanges';
import { count } from '../../app/present/text';
import type { QueueContext } from '../../app/context/queueContext';
import type { ChangedFile, FileVersion } from '../../platform/git/keptTrees';
import { composeUri, SCHEME } from './versionUri';

/** Most files to compare in one editor, which reads all of them. */
const MOST_FILES = 500;

/** Most sentences in one message. */
const MOST_SENTENCES = 3;

const TIMEOUT_MS = 30_000;

/** Opens one editor with the difference of each file that an attempt changed, and says what it cannot show. */
export async function openChanges(
  queueContext: Pick<QueueContext, 'queueFile' | 'host'>,
  { attempt, kept }: FoundChanges,
): Promise<void> {
  const files = await openTrees(queueContext).list(kept, AbortSignal.timeout(TIMEOUT_MS));
  const queue = queueKey(queueContext.queueFile);
  const toUri = (path: string, version: FileVersion | null): vscode.Uri | undefined =>
    version === null
      ? undefined
      : vscode.Uri.from({ scheme: SCHEME, ...composeUri({ queue, format: kept.format, ...version }, path) });
  const compared = files.filter(isCompared).slice(0, MOST_FILES);
  const resources = compared.map(({ path, before, after }) => {
    const sides = [toUri(path, before), toUri(path, after)] as const;
    return [sides[1] ?? sides[0], ...sides] as const;
  });
  const title = `Changes of task ${String(attempt.id)}, attempt ${String(attempt.number)}`;
  if (resources.length > 0) await open(title, resources);
  const sentences = [...describeUncompared(files, compared.length), ...kept.leftOut.map(describeLeftOut)];
  if (sentences.length > 0) void vscode.window.showInformationMessage(join(title, sentences));
}

/** Opens the editor in place of those that show the same. */
async function open(title: string, resources: readonly (readonly unknown[])[]): Promise<void> {
  // VS Code adds the number of files.
  const older = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ label }) => label.startsWith(`${title} (`));
  await vscode.window.tabGroups.close(older, true);
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

/** Whether a file has another content now. */
function isCompared({ before, after }: ChangedFile): boolean {
  return before?.object !== after?.object || before?.kind !== after?.kind;
}

function describeUncompared(files: readonly ChangedFile[], compared: number): string[] {
  const [first, ...others] = files.filter((file) => !isCompared(file));
  const rest = files.length - compared - (first === undefined ? 0 : 1 + others.length);
  const more = others.length === 0 ? '' : ` and ${count(others.length, 'other file')}`;
  return [
    ...(rest > 0 ? [`${count(rest, 'more file')} of ${String(files.length)} are not shown.`] : []),
    ...(first === undefined ? [] : [`Only the permissions of ${first.path}${more} changed.`]),
  ];
}

function join(title: string, sentences: readonly string[]): string {
  const more = sentences.length - MOST_SENTENCES;
  const shown = sentences.slice(0, MOST_SENTENCES).join(' ');
  return `${title}: ${shown}${more > 0 ? ` And ${String(more)} more.` : ''}`;
}
