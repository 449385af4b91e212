import { countInvalidRows } from '../../domain/problem';
import { needsApproval } from '../../domain/reasons/approver';
import { isOwnStop } from '../../domain/reasons/queueStops';
import type { Cause, ShownState } from '../../domain/reasons/reason';
import type { QueueViewModel } from '../viewModel/queueViewModel';
import { findSettingsStop } from '../viewModel/settingsStop';
import { countServices } from '../present/service';
import { nameMissingWorker } from '../present/timers/missingWorkerTexts';
import { count } from '../present/text';

/** Lists in a few words each what is blocked, late, at risk or stuck, and why the queue stopped itself. */
export function listRisks(viewModel: QueueViewModel): string[] {
  const { account, missingWorkers, tasks, world } = viewModel;
  const wrong = findSettingsStop(viewModel);
  const { violated, atRisk } = countServices(tasks);
  return [
    ...(wrong === undefined ? [] : [wrong.text]),
    ...listOwnStops(viewModel),
    ...account.filter(({ needsUser }) => needsUser).map(({ title }) => title),
    ...missingWorkers.found.map((one) => nameMissingWorker(one, world)),
    ...countOf(violated, 'late'),
    ...countOf(atRisk, 'at risk'),
    ...countOf(countShown(viewModel, 'stuck'), 'stuck'),
  ];
}

function listOwnStops({ stops, tasks }: QueueViewModel): string[] {
  const isReason = (kind: Cause['kind']): boolean =>
    tasks.some(({ reason }) => reason.causes.some((cause) => cause.kind === kind));
  return stops
    .filter(({ causes: [cause] }) => cause !== undefined && isOwnStop(cause) && isReason(cause.kind))
    .map(({ text }) => text);
}

/** Lists risks, and what waits for the user. */
export function listNeeds(viewModel: QueueViewModel): string[] {
  const { snapshot, tasks } = viewModel;
  const invalid = countInvalidRows(snapshot.problems);
  return [
    ...listRisks(viewModel),
    ...countOf(countShown(viewModel, 'review'), 'in review'),
    ...countOf(countShown(viewModel, 'dead'), 'failed'),
    ...countOf(tasks.filter(({ reason }) => needsApproval(reason)).length, 'unapproved'),
    ...(invalid === 0 ? [] : [`${count(invalid, 'row')} cannot be read`]),
  ];
}

function countShown({ tasks }: QueueViewModel, shown: ShownState): number {
  return tasks.filter(({ reason }) => reason.state === shown).length;
}

/** Formats a count: `1 task is late`, `2 tasks are late`; empty for 0. */
function countOf(number: number, state: string): string[] {
  return number === 0 ? [] : [`${count(number, 'task')} ${number === 1 ? 'is' : 'are'} ${state}`];
}
