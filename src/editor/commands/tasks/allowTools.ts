import * as vscode from 'vscode';
import {
  allowTools,
  findRefusals,
  WITHOUT_RULE,
  type Refusal,
  type Refusals,
} from '../../../app/actions/tasks/allowTools';
import { describeAllowedElsewhere } from '../../../app/present/reasons/claim';
import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import { possibleActions } from '../../../app/viewModel/possibleActions';
import type { TaskId } from '../../../domain/task/task';
import type { ExtensionServices } from '../../state/extensionServices';
import { toRuleItems } from '../../tree/ruleItems';
import { chooseTask } from './taskTarget';
import { t } from '../../../platform/text/translate';
import { showInformation } from '../../messages';

/** Lists what a task was refused, with the narrowest rule for each. Allows the picked rules and retries the task. */
export async function allowRefused(services: ExtensionServices, target: unknown): Promise<void> {
  const session = await services.queueModel.useQueue();
  const suits = (shown: TaskViewModel): boolean => possibleActions(shown).has('allow');
  const id = await chooseTask(services, target, { title: t('Allow Tools and Retry'), suits });
  if (id === null) return;
  const found = await findRefusals(session.queueContext, session.queue, id);
  const rules = await pickRules(found);
  if (rules.length === 0) return;
  const { isRetried } = await services.queueModel.change(({ queueContext, queue }) =>
    allowTools(queueContext, queue, found, rules),
  );
  const notes = [
    isRetried ? null : t('The next attempt of task {0} on this machine may use that.', id),
    describeAllowedElsewhere(found.attempt ?? {}),
  ].filter((note) => note !== null);
  if (notes.length > 0) void showInformation(notes.join(' '));
}

async function pickRules({ task, refusals }: Refusals): Promise<readonly string[]> {
  const { id } = task.state;
  const items = toRuleItems(refusals);
  if (items.length === 0) {
    void showInformation(describeNone(id, refusals));
    return [];
  }
  const without = refusals.length - items.length;
  const chosen = await vscode.window.showQuickPick([...items], {
    title: t('Allow Tools and Retry: for task {0} only, until its row changes', id),
    placeHolder:
      without === 0 ? t('Pick what it may do') : t('Pick what it may do; {0} more have no rule', without),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return (chosen ?? []).map(({ rule }) => rule);
}

function describeNone(id: TaskId, refusals: readonly Refusal[]): string {
  const [first] = refusals;
  if (first === undefined) return t('Nothing was refused when task {0} last ran in its present form.', id);
  const what = `${first.tool} ${first.detail}`.trim();
  const none = t('There is no narrow rule for what task {0} was refused ({1}: {2}).', id, what, first.why);
  return `${none} ${WITHOUT_RULE}`;
}
