import * as vscode from 'vscode';
import type { ShownTask } from '../../app/picture';
import { shorten } from '../../app/words';
import type { Desk } from '../desk';
import { hideIcons } from '../iconWords';
import { PERMISSION_WORDS, WINDOW_RULE_WORDS, type StartOffer, type StartPlan } from '../startPlan';
import { toItem } from './approve';
import { showLine } from './showRow';

/** What a person chose in the list. */
export type StartChoice = StartOffer['kind'] | 'permissions' | 'windows';

interface StartItem extends vscode.QuickPickItem {
  readonly choice?: StartChoice;
  /** Line of the row that the item stands for. */
  readonly line?: number;
  readonly isCut?: boolean;
}

/** As many approved tasks as are listed; the tree has them all. */
const MOST_LISTED = 30;
const PROMPT_WIDTH = 120;

/** Shows what Start would do; null: the person left. Choosing a row shows the row. */
export function showStartList(
  desk: Desk,
  plan: StartPlan,
  lines: ReadonlyMap<number, number>,
): Promise<StartChoice | null> {
  const list = vscode.window.createQuickPick<StartItem>();
  list.title = plan.title;
  list.placeholder = 'Read what is new; choosing a task shows its row';
  list.ignoreFocusOut = true;
  list.matchOnDescription = true;
  list.items = [...actionItems(desk, plan), ...rowItems(plan, lines)];
  // Return alone approves nothing that cannot be seen: it shows the first such row.
  const unseen = list.items.find(({ isCut }) => isCut === true);
  if (unseen !== undefined) list.activeItems = [unseen];
  return new Promise((resolve) => {
    list.onDidTriggerItemButton(({ item }) => void showLine(desk, item.line ?? 1));
    list.onDidAccept(() => {
      const [item] = list.selectedItems;
      if (item?.choice === undefined) {
        if (item?.line !== undefined) void showLine(desk, item.line);
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

function actionItems({ settings }: Desk, { offers, only }: StartPlan): StartItem[] {
  return [
    ...offers.map(({ kind, words, detail }) => ({
      label: `$(play) ${words}`,
      description: detail,
      choice: kind,
    })),
    {
      label: '$(shield) Claude may',
      description: PERMISSION_WORDS[settings.permissionMode],
      choice: 'permissions',
    },
    ...(only === null ? [windowsItem(settings)] : []),
  ];
}

function windowsItem(settings: Desk['settings']): StartItem {
  return {
    label: '$(window) When the last window closes',
    description: WINDOW_RULE_WORDS[settings.whenLastWindowCloses],
    choice: 'windows',
  };
}

function rowItems({ unapproved, approved }: StartPlan, lines: ReadonlyMap<number, number>): StartItem[] {
  const lineOf = ({ task }: ShownTask): number => lines.get(task.definition.id) ?? 1;
  const more = approved.length - MOST_LISTED;
  return [
    ...(unapproved.length === 0 ? [] : [separator('New or changed: needs approval')]),
    ...unapproved.map((shown) => toItem(shown, lineOf(shown))),
    ...(approved.length === 0 ? [] : [separator('Runs as approved')]),
    ...approved.slice(0, MOST_LISTED).map((shown) => toApprovedItem(shown, lineOf(shown))),
    ...(more > 0 ? [separator(`and ${String(more)} more`)] : []),
  ];
}

function toApprovedItem({ task, reason }: ShownTask, line: number): StartItem {
  const { id, prompt, permissionMode } = task.definition;
  const mode = permissionMode === undefined ? '' : ` · permission mode ${permissionMode}`;
  return {
    label: hideIcons(`${String(id)}  ${shorten(prompt, PROMPT_WIDTH)}`),
    description: hideIcons(`${reason.shown}${reason.text === '' ? '' : `: ${reason.text}`}${mode}`),
    line,
  };
}

function separator(label: string): StartItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
