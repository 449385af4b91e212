import { possibleActions } from '../../../app/viewModel/possibleActions';
import type { Desk } from '../../state/extensionServices';
import { showTaskOutput } from '../../terminals/terminals';
import { chooseTask } from './taskTarget';

/** Shows the newest output of a task, live while it runs. */
export async function showOutput(desk: Desk, target: unknown): Promise<void> {
  const session = await desk.keeper.useSession();
  const id = await chooseTask(session, target, {
    title: 'Show Output',
    suits: (shown) => possibleActions(shown).has('showOutput'),
  });
  if (id !== null) showTaskOutput(desk, id);
}
