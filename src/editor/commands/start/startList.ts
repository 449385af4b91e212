import { rowNumberOf } from '../../../domain/problem';
import * as os from 'node:os';
import * as vscode from 'vscode';
import type { QueueViewModel, TaskViewModel } from '../../../app/viewModel/queueViewModel';
import type { Rehearsed } from '../../../app/checks/rehearsal';
import { describeDoubts } from '../../../app/present/rehearsal';
import { takeRehearsal } from '../../../app/checks/takeRehearsal';
import { describeShortly } from '../../../app/present/reasons/shortReason';
import { shorten } from '../../../app/present/text';
import { callCommand } from '../../callCommand';
import type { ExtensionServices } from '../../state/extensionServices';
import { userName } from '../../../platform/processes/machine';
import { hideIcons } from '../../hiddenLinks';
import type { OpenedQueue } from '../../state/openedQueue';
import { showFailure } from '../../status/failures';
import { PERMISSION_WORDS, WINDOW_RULE_WORDS, type StartOffer, type StartPlan } from '../../state/startPlan';
import { listUnapproved, pressButton, type ApprovalItem } from '../tasks/approvalItems';
import { showLine } from '../tasks/showRow';
import { addFolderName } from '../../state/folderName';
import { t } from '../../../platform/text/translate';

/** Choice of the user in the list. */
export type StartChoice = StartOffer['kind'] | 'permissions' | 'windows' | 'page';

interface StartItem extends vscode.QuickPickItem {
  readonly choice?: StartChoice;
  /** Set if it shows the installation. */
  readonly ofMachine?: true;
  /** Line of the row that the item shows. */
  readonly line?: number;
  readonly isCut?: boolean;
  /** Set if the row waits for approval. */
  readonly approval?: ApprovalItem;
}

/** Maximum number of approved tasks to list; the tree has all. */
const MOST_LISTED = 30;
const PROMPT_WIDTH = 120;

/** Shows what Start would do; returns null if the user left. Choosing a row shows it in the file. */
export async function showStartList(
  services: ExtensionServices,
  session: OpenedQueue,
  plan: StartPlan,
  viewModel: QueueViewModel,
): Promise<StartChoice | null> {
  const items = [
    ...actionItems(services, plan),
    ...(await session.use(() => listRows(session, plan, viewModel))),
  ];
  const list = vscode.window.createQuickPick<StartItem>();
  list.title = addFolderName(services, plan.title);
  list.placeholder = t('Review new tasks; select a task to show its row');
  list.ignoreFocusOut = true;
  list.matchOnDescription = true;
  list.items = items;
  // The page is about the whole queue.
  list.buttons = plan.only === null ? [SHOW_AS_PAGE] : [];
  // Return alone must not approve what cannot be seen: it shows the first such row.
  const unseen = list.items.find(({ isCut }) => isCut === true);
  if (unseen !== undefined) list.activeItems = [unseen];
  return new Promise((resolve) => {
    list.onDidTriggerButton(() => {
      resolve('page');
      list.hide();
    });
    list.onDidTriggerItemButton(({ item: { approval }, button }) => {
      if (approval !== undefined) pressButton(services, approval, button);
    });
    list.onDidAccept(() => {
      const [item] = list.selectedItems;
      if (item?.choice === undefined) {
        if (item !== undefined) showMore(services, item);
        return;
      }
      resolve(item.choice);
      list.hide();
    });
    list.onDidHide(() => {
      resolve(null);
      list.dispose();
    });
    list.show();
  });
}

const SHOW_AS_PAGE: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('open-preview'),
  tooltip: t('Show as Page'),
};

function showMore(services: ExtensionServices, { line, ofMachine }: StartItem): void {
  if (line !== undefined)
    showLine(services, line).catch((error: unknown) => showFailure(services, 'showRow', error));
  if (ofMachine === true) void callCommand(services, 'checkMachine');
}

function actionItems({ settings }: ExtensionServices, plan: StartPlan): StartItem[] {
  const { offers, only } = plan;
  return [
    ...offers.map(({ kind, words, detail }) => ({
      label: `$(play) ${words}`,
      // On its own line it is never cut: it is the sentence to agree to.
      detail,
      choice: kind,
    })),
    ...machineItems(plan),
    {
      label: `$(shield) ${t('Claude may')}`,
      description: PERMISSION_WORDS[settings.permissionMode],
      choice: 'permissions',
    },
    ...(only === null ? [windowsItem(settings)] : []),
  ];
}

/** Items for the user, the payer and the installation; choosing one shows more about this machine. */
function machineItems({ payer, unusedKeys, versionNote }: StartPlan): StartItem[] {
  const user = t('as {0} on {1}', userName(), os.hostname());
  const account = {
    label: `$(account) ${t('Account')}`,
    description: [user, ...(unusedKeys === null ? [] : [unusedKeys])].join(' · '),
    detail: payer,
    ofMachine: true,
  } as const;
  return [
    account,
    ...(versionNote === null
      ? []
      : [{ label: `$(info) ${t('Version')}`, detail: versionNote, ofMachine: true } as const]),
  ];
}

function windowsItem(settings: ExtensionServices['settings']): StartItem {
  return {
    label: `$(window) ${t('When the last window closes')}`,
    description: WINDOW_RULE_WORDS[settings.whenLastWindowCloses],
    choice: 'windows',
  };
}

async function listRows(
  session: OpenedQueue,
  { unapproved, approved }: StartPlan,
  viewModel: QueueViewModel,
): Promise<StartItem[]> {
  const { snapshot } = viewModel;
  const lineOf = ({ task }: TaskViewModel): number => rowNumberOf(snapshot.places.get(task.definition.id));
  const more = approved.length - MOST_LISTED;
  const fresh = await listUnapproved(session, unapproved, snapshot);
  const rehearsed = await takeRehearsal(session.queueContext, session.queue, viewModel);
  const found = new Map(rehearsed.map((one) => [one.shown, one]));
  return [
    ...(unapproved.length === 0 ? [] : [separator(t('New or changed: needs approval'))]),
    ...fresh.map((item) => ({
      ...item,
      description: hideIcons((found.get(item.shown)?.lacks ?? []).join(' · ')),
      approval: item,
    })),
    ...(approved.length === 0 ? [] : [separator(t('Runs as approved'))]),
    ...approved
      .slice(0, MOST_LISTED)
      .map((shown) => toApprovedItem(shown, lineOf(shown), found.get(shown), viewModel)),
    ...(more > 0 ? [separator(t('and {0} more', more))] : []),
  ];
}

function toApprovedItem(
  shown: TaskViewModel,
  line: number,
  rehearsed: Rehearsed | undefined,
  { world }: QueueViewModel,
): StartItem {
  const { id, prompt, permissionMode } = shown.task.definition;
  const details = [
    describeShortly(shown, world),
    ...(permissionMode === undefined ? [] : [t('permission mode {0}', permissionMode)]),
    ...(rehearsed === undefined ? [] : describeDoubts(rehearsed)),
  ];
  return {
    label: hideIcons(`${String(id)}  ${shorten(prompt, PROMPT_WIDTH)}`),
    description: hideIcons(details.join(' · ')),
    line,
  };
}

function separator(label: string): StartItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
