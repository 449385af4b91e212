import * as vscode from 'vscode';
import {
  allowTools,
  findRefusals,
  WITHOUT_RULE,
  type Refusal,
  type Refusals,
} from '../../../app/actions/tasks/grants';
import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import { possibleActions } from '../../../app/viewModel/possibleActions';
import type { ExtensionServices } from '../../state/extensionServices';
import { toRuleItems } from '../../tree/ruleItems';
import { chooseTask } from './taskTarget';

const TITLE = 'Allow Tools and Retry';

/** Lists what a task was refused, with the narrowest rule for each. Allows the picked rules and retries the task. */
export async function allowRefused(services: ExtensionServices, target: unknown): Promise<void> {
  const session = await services.queueModel.useQueue();
  const suits = (shown: TaskViewModel): boolean => possibleActions(shown).has('allow');
  const id = await chooseTask(services, target, { title: TITLE, suits });
  if (id === null) return;
  const found = await findRefusals(session.queueContext, session.queue, id);
  const rules = await pickRules(found);
  if (rules.length === 0) return;
  const { isRetried } = await services.queueModel.change(({ queueContext, queue }) =>
    allowTools(queueContext, queue, found, rules),
  );
  if (!isRetried)
    void vscode.window.showInformationMessage(`The next attempt of task ${String(id)} may use that.`);
}

async function pickRules({ task, refusals }: Refusals): Promise<readonly string[]> {
  const name = `task ${String(task.state.id)}`;
  const items = toRuleItems(refusals);
  if (items.length === 0) {
    void vscode.window.showInformationMessage(describeNone(name, refusals));
    return [];
  }
  const without = refusals.length - items.length;
  const more = without === 0 ? '' : `; ${String(without)} more have no rule`;
  const chosen = await vscode.window.showQuickPick([...items], {
    title: `${TITLE}: for ${name} only, until its row changes`,
    placeHolder: `Pick what it may do${more}`,
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return (chosen ?? []).map(({ rule }) => rule);
}

function describeNone(name: string, refusals: readonly Refusal[]): string {
  const [first] = refusals;
  if (first === undefined) return `Nothing was refused when ${name} last ran in its present form.`;
  const what = `${first.tool} ${first.detail}`.trim();
  return `There is no narrow rule for what ${name} was refused (${what}: ${first.why}). ${WITHOUT_RULE}`;
}
