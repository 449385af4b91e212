import { possibleActions } from '../../app/viewModel/possibleActions';
import { viewModelOf } from '../state/queueState';
import type { Review } from './diffTarget';

/** Returns words for the `when` of menus: what the user can do with the changes in the active editor. */
export async function describeActive({ diffs, drafts, findQueue }: Review): Promise<string> {
  const { active } = diffs;
  if (active === null) return '';
  const services = await findQueue(active.queue);
  const viewModel = services === undefined ? null : viewModelOf(services.queueModel.state);
  const shown = viewModel?.tasks.find(({ task }) => task.definition.id === active.task);
  const can = shown === undefined ? null : possibleActions(shown);
  return [
    ...(drafts.find(active) === null ? [] : ['drafts']),
    ...(can?.has('accept') === true ? ['accept'] : []),
    ...(can?.has('undo') === true ? ['undo'] : []),
  ].join(' ');
}
