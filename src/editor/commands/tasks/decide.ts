import * as vscode from 'vscode';
import { decideTask } from '../../../app/actions/decideTask';
import type { ShownTask } from '../../../app/viewModel/queueViewModel';
import { possibleActions } from '../../../app/viewModel/possibleActions';
import type { Verb } from '../../../queue/taskQueue';
import type { Desk } from '../../state/extensionServices';
import { chooseTask } from './taskTarget';

const TITLES: Readonly<Record<Verb, string>> = {
  retry: 'Retry Task',
  accept: 'Accept Task as Completed',
  cancel: 'Cancel Task',
};

/** What a person decides about one task. */
export async function decide(desk: Desk, target: unknown, verb: Verb): Promise<void> {
  const session = await desk.keeper.useSession();
  const suits = (shown: ShownTask): boolean => possibleActions(shown).has(verb);
  const id = await chooseTask(session, target, { title: TITLES[verb], suits });
  if (id === null) return;
  const told: string[] = [];
  const tell = (sentence: string): void => {
    told.push(sentence);
    desk.log.info(sentence);
  };
  const isDone = await desk.keeper.change(({ site, queue }) => decideTask(site, queue, { id, verb }, tell));
  if (!isDone) void vscode.window.showWarningMessage(told.join(' '));
}
