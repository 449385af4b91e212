import { rowNumberOf } from '../../../domain/problem';
import * as vscode from 'vscode';
import { describePermissions, describeUnseen, excerptPrompt } from '../../../app/approval/approval';
import { findChange, readKnownRows, type RowChange } from '../../../app/approval/approvedChanges';
import { layChangeOut, summarizeChange } from '../../../app/present/rowChanges';
import type { QueueViewModel, TaskViewModel } from '../../../app/viewModel/queueViewModel';
import { revealInvisible } from '../../../platform/text/invisible';
import { redact } from '../../../platform/text/redact';
import type { ExtensionServices } from '../../state/extensionServices';
import { hideIcons } from '../../hiddenLinks';
import type { OpenedQueue } from '../../state/openedQueue';
import { showFailure } from '../../status/failures';
import { showLine } from './showRow';
import { t } from '../../../platform/text/translate';
import { COMMA } from '../../../app/present/text';

/** Maximum characters that a list draws of a line. */
const PROMPT_WIDTH = 80;
const DETAIL_WIDTH = 90;

/** Row that waits for approval, as an item of a list. */
export interface ApprovalItem extends vscode.QuickPickItem {
  readonly shown: TaskViewModel;
  readonly change: RowChange;
  readonly line: number;
  /** Whether the list hides a part of what is approved. */
  readonly isCut: boolean;
}

/** Lists the rows that wait for approval, with the change of each. */
export async function listUnapproved(
  { queueContext }: OpenedQueue,
  waiting: readonly TaskViewModel[],
  { places }: QueueViewModel['snapshot'],
): Promise<readonly ApprovalItem[]> {
  const known = await readKnownRows(queueContext.openApprovals());
  return waiting.map((shown) =>
    toItem(shown, findChange(shown, known), rowNumberOf(places.get(shown.task.definition.id))),
  );
}

function toItem(shown: TaskViewModel, change: RowChange, line: number): ApprovalItem {
  const { id, prompt, promptFile, priority } = shown.task.definition;
  const { text, leftOut } = excerptPrompt(prompt, PROMPT_WIDTH);
  const reopened = shown.task.state.reopened ? [shown.reason.text] : [];
  const summary = summarizeChange(change) ?? [];
  const unseen = describeUnseen(shown);
  const powers = [summary, priority, describePermissions(shown), reopened].flat().join(' · ');
  const isLong = powers.length > DETAIL_WIDTH;
  const file = promptFile === undefined ? [] : t('the text of {0}', promptFile.path);
  const cut = [leftOut ?? [], file, unseen ?? [], isLong ? t('more permissions than fit here') : []].flat();
  const detail = cut.length === 0 ? powers : `${t('… {0}: read the row', cut.join(COMMA))} · ${powers}`;
  return {
    label: hideIcons(`${String(id)}  ${text}`),
    detail: hideIcons(detail),
    buttons: [
      ...(change.kind === 'changed' ? [SHOW_CHANGE] : promptFile === undefined ? [] : [SHOW_PROMPT]),
      SHOW_ROW,
    ],
    shown,
    change,
    line,
    isCut: cut.length > 0 || change.kind === 'unseen',
  };
}

const SHOW_ROW: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('go-to-file'),
  tooltip: t('Show the whole row'),
};

const SHOW_CHANGE: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('diff'),
  tooltip: t('Show what changed since it was approved'),
};

const SHOW_PROMPT: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('file-text'),
  tooltip: t('Show the prompt file as it would be approved'),
};

type Pressed = Pick<ApprovalItem, 'shown' | 'change' | 'line'>;

/** Carries out a button of such a row. Shows why if it cannot. */
export function pressButton(
  services: ExtensionServices,
  item: Pressed,
  button: vscode.QuickInputButton,
): void {
  carryOut(services, item, button).catch((error: unknown) => showFailure(services, 'showRow', error));
}

async function carryOut(
  services: ExtensionServices,
  { shown, change, line }: Pressed,
  button: vscode.QuickInputButton,
): Promise<void> {
  const { id, promptFile } = shown.task.definition;
  if (button === SHOW_PROMPT && promptFile !== undefined) {
    const text = revealInvisible(redact(promptFile.text));
    return services.texts.show(`${t('Task {0}', id)}: ${promptFile.path}`, text);
  }
  if (button !== SHOW_CHANGE || change.kind !== 'changed') return showLine(services, line);
  const { before, now } = layChangeOut(change.cells, describeUnseen(shown));
  await services.texts.compare(t('Task {0}: what changed since it was approved', id), before, now);
}
