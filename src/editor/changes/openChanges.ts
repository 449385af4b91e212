import * as vscode from 'vscode';
import { queueKey } from '../../account/approvals';
import { type FoundChanges, readTrees } from '../../app/actions/attempts/attemptChanges';
import { openKeptTrees } from '../../app/context/openKeptTrees';
import type { QueueContext } from '../../app/context/queueContext';
import { describeLeftOut } from '../../app/present/attemptChanges';
import type { ChangedFile, FileVersion } from '../../platform/git/treeDiff';
import { findUnshown, showOne, type ComparedFile } from './binaryFiles';
import { isTabOf, nameDiff } from './diffTitle';
import type { ShownDiffs } from './shownDiffs';
import { composeUri, SCHEME, type DiffSide } from './versionUri';
import { t } from '../../platform/text/translate';
import { showInformation } from '../messages';

/** Most files to compare in one editor, which reads all of them. */
const MOST_FILES = 500;

/** Most sentences in one message. */
const MOST_SENTENCES = 3;

const TIMEOUT_MS = 30_000;

/**
 * Opens one editor with the difference of each file that an attempt changed, and says what it does not show.
 * @throws Problem `no-diff` if git fails
 */
export async function openChanges(
  queueContext: Pick<QueueContext, 'queueFile' | 'host'>,
  { attempt, kept }: Pick<FoundChanges, 'attempt' | 'kept'>,
  diffs: Pick<ShownDiffs, 'noteOpened'>,
): Promise<void> {
  const diff = openKeptTrees(queueContext).diffOf(kept);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const files = await readTrees(attempt, () => diff.list(signal));
  const unshown = await readTrees(attempt, () => findUnshown(diff, signal));
  const queue = queueKey(queueContext.queueFile);
  const toUri = (
    path: string,
    version: FileVersion | null,
    side: DiffSide['side'],
  ): vscode.Uri | undefined => {
    if (version === null) return undefined;
    const shownAt = { task: attempt.id, attempt: attempt.number, side };
    const parts = composeUri({ queue, format: kept.format, ...version }, path, shownAt);
    return vscode.Uri.from({ scheme: SCHEME, ...parts });
  };
  const compared = files.filter(isCompared).map(({ path, before, after }) => ({
    path,
    before: toUri(path, before, 'before'),
    after: toUri(path, after, 'after'),
  }));
  const shown = compared.filter(({ path }) => !unshown.has(path));
  const others = compared.filter(({ path }) => unshown.has(path));
  const own = { queue, task: attempt.id, attempt: attempt.number };
  const title = nameDiff(own);
  if (shown.length > 0) {
    await closeTabs(title);
    diffs.noteOpened(own);
    await open(title, shown.slice(0, MOST_FILES));
  } else if (others.length > 0) void showOne(others);
  const sentences = [
    ...(shown.length > MOST_FILES
      ? [t('Only the first {0} of {1} files are shown.', MOST_FILES, shown.length)]
      : []),
    ...nameFiles(others, describeUnshown),
    ...nameFiles(
      files.filter((file) => !isCompared(file)),
      describeOnlyPermissions,
    ),
    ...kept.leftOut.map(describeLeftOut),
  ];
  if (sentences.length > 0) void say(title, sentences, others);
}

async function closeTabs(title: string): Promise<void> {
  const older = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ label }) => isTabOf(label, title));
  await vscode.window.tabGroups.close(older, true);
}

async function open(title: string, files: readonly ComparedFile[]): Promise<void> {
  const resources = files.map(({ before, after }) => [after ?? before, before, after]);
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

/** Whether the content of a file differs. */
function isCompared({ before, after }: ChangedFile): boolean {
  return before?.object !== after?.object || before?.kind !== after?.kind;
}

/** Returns a sentence about these files, if there are some. */
function nameFiles(
  files: readonly { readonly path: string }[],
  describe: (first: string, others: number) => string,
): readonly string[] {
  const [first, ...others] = files;
  return first === undefined ? [] : [describe(first.path, others.length)];
}

function describeUnshown(first: string, others: number): string {
  if (others === 0) return t('{0} is not text.', first);
  return others === 1
    ? t('{0} and 1 other file are not text.', first)
    : t('{0} and {1} other files are not text.', first, others);
}

function describeOnlyPermissions(first: string, others: number): string {
  if (others === 0) return t('Only the permissions of {0} changed.', first);
  return others === 1
    ? t('Only the permissions of {0} and 1 other file changed.', first)
    : t('Only the permissions of {0} and {1} other files changed.', first, others);
}

async function say(
  title: string,
  sentences: readonly string[],
  others: readonly ComparedFile[],
): Promise<void> {
  const more = sentences.length - MOST_SENTENCES;
  const shown = [...sentences.slice(0, MOST_SENTENCES), ...(more > 0 ? [t('And {0} more.', more)] : [])];
  const message = `${title}: ${shown.join(' ')}`;
  const button = others.length > 1 ? t('Show File…') : t('Show File');
  const chosen = await showInformation(message, ...(others.length > 0 ? [button] : []));
  if (chosen !== undefined) await showOne(others);
}
