import * as vscode from 'vscode';
import { describeError } from '../../../app/present/problems/problem';
import { parseSelection } from '../../../app/viewModel/taskSelection';
import { isProblem } from '../../../domain/problem';
import type { ExtensionServices } from '../../state/extensionServices';
import { showMoreIn, type Grouping } from '../../tree/rows/treeOptions';
import { t } from '../../../platform/text/translate';

const GROUPING_LABELS: readonly (readonly [Grouping, label: string])[] = [
  ['state', t('State')],
  ['priority', t('Priority')],
  ['user', t('User')],
  ['folder', t('Folder')],
];

/** Lets the user choose the fact by which the tree groups tasks. */
export async function groupBy({ choices }: ExtensionServices): Promise<void> {
  const items = GROUPING_LABELS.map(([grouping, label]) => ({
    label,
    grouping,
    ...(choices.options.grouping === grouping ? { description: t('now') } : {}),
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: t('Group Tasks By') });
  if (chosen !== undefined) await choices.set({ grouping: chosen.grouping });
}

/** Lets the user type a filter for the tree; an empty one shows all tasks. */
export async function filter({ choices }: ExtensionServices): Promise<void> {
  const typed = await vscode.window.showInputBox({
    title: t('Filter Tasks'),
    value: choices.options.filter,
    placeHolder: 'tests state:failed tag:api user:ken priority:high',
    prompt: t('Words of a prompt, an id, state:, tag:, user:, or priority:. Empty shows all tasks.'),
    validateInput: explainFilter,
  });
  if (typed !== undefined) await choices.set({ filter: typed.trim() });
}

function explainFilter(text: string): string | undefined {
  try {
    parseSelection(text);
    return undefined;
  } catch (error) {
    if (isProblem(error, 'usage')) return describeError(error);
    throw error;
  }
}

/** Shows more rows of the group with this key. */
export async function showMore({ choices }: ExtensionServices, key: unknown): Promise<void> {
  if (typeof key === 'string') await choices.set(showMoreIn(choices.options, key));
}
