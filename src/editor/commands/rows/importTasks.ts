import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ImportPlan } from '../../../app/actions/rows/importPlan';
import { importTasks as addRows, prepareImport } from '../../../app/actions/rows/importTasks';
import type { ExtensionServices } from '../../state/extensionServices';
import { hideIcons } from '../../hiddenLinks';
import { ensureQueue, nameHere } from '../tasks/addTask';
import { describeRow, listRows, type ImportItem } from './importItems';
import { addFolderName } from '../../state/folderName';
import { callCommand } from '../../callCommand';
import { t } from '../../../platform/text/translate';
import { showInformation } from '../../messages';

/** Asks for a file, shows the rows that it would add, and adds those that the user ticks. They need approval. */
export async function importTasks(services: ExtensionServices): Promise<void> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: t('Import Tasks from a Markdown Check-list or CSV File'),
      openLabel: t('Preview'),
      filters: { [t('Markdown and CSV')]: ['md', 'markdown', 'csv'] },
      defaultUri: vscode.Uri.file(services.folder),
    })) ?? [];
  if (uri === undefined) return;
  await ensureQueue(services);
  const name = path.basename(uri.fsPath);
  const bytes = Buffer.from(await vscode.workspace.fs.readFile(uri));
  const session = await services.queueModel.useQueue();
  const plan = await session.use(() =>
    prepareImport(session.queueContext, session.queue, {
      name,
      bytes,
      folder: nameHere(session.queueContext),
    }),
  );
  const chosen = await pick(services, plan, name);
  if (chosen.length === 0) return;
  const ids = await services.queueModel.change(({ queueContext, queue }) =>
    addRows(queueContext, queue, { plan, chosen: chosen.map(({ row }) => row), from: name }),
  );
  const message =
    ids.length === 1
      ? t('Imported 1 task from {0}. They run only after you approve them.', name)
      : t('Imported {0} tasks from {1}. They run only after you approve them.', ids.length, name);
  await offerApproval(services, message);
}

const APPROVE = t('Approve Tasks…');

async function offerApproval(services: ExtensionServices, message: string): Promise<void> {
  const answer = await showInformation(message, APPROVE);
  if (answer === APPROVE) await callCommand(services, 'approve');
}

interface Item extends vscode.QuickPickItem {
  readonly shown: ImportItem;
}

const SHOW_ROW: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('go-to-file'),
  tooltip: t('Show the whole row'),
};

/** Returns the rows that the user ticks. One that cannot be added cannot be ticked. */
function pick(services: ExtensionServices, plan: ImportPlan, name: string): Promise<readonly ImportItem[]> {
  const list = vscode.window.createQuickPick<Item>();
  const items = listRows(plan).map(toItem);
  const wrong = items.filter(({ shown }) => shown.row.problems.length > 0).length;
  const title = describeFile(name, items.length);
  list.title = addFolderName(services, wrong === 0 ? title : t('{0}, {1} with problems', title, wrong));
  list.placeholder = describeLeftOut(plan);
  list.canSelectMany = true;
  list.ignoreFocusOut = true;
  list.matchOnDetail = true;
  list.items = items;
  list.selectedItems = items.filter(({ shown }) => shown.isPicked);
  return new Promise((resolve) => {
    list.onDidChangeSelection((selected) => {
      const fit = selected.filter(({ shown }) => shown.row.problems.length === 0);
      if (fit.length < selected.length) list.selectedItems = fit;
    });
    list.onDidTriggerItemButton(
      ({ item }) =>
        void services.texts.show(t('Row {0} of {1}', item.shown.row.number, name), describeRow(item.shown)),
    );
    list.onDidAccept(() => {
      resolve(list.selectedItems.map(({ shown }) => shown));
      list.hide();
    });
    list.onDidHide(() => {
      resolve([]);
      list.dispose();
    });
    list.show();
  });
}

function describeFile(name: string, rows: number): string {
  return rows === 1 ? t('Import from {0}: 1 row', name) : t('Import from {0}: {1} rows', name, rows);
}

function describeLeftOut({ ignored, unclear }: ImportPlan): string {
  const leftOut = [...ignored, ...unclear.map((line) => t('line {0}', line))];
  return leftOut.length === 0
    ? t('Ticked rows are added, and need approval')
    : t('Ticked rows are added, and need approval; left out: {0}', leftOut.join(', '));
}

function toItem(shown: ImportItem): Item {
  const mark = shown.row.problems.length === 0 ? '' : '$(error) ';
  return {
    label: `${mark}${hideIcons(shown.label)}`,
    description: shown.description,
    detail: hideIcons(shown.detail),
    buttons: [SHOW_ROW],
    shown,
  };
}
