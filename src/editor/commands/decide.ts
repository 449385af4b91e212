import { refuseInsideRun } from '../../app/insideRun';
import type { ShownTask } from '../../app/picture';
import type { Verb } from '../../queue/taskQueue';
import type { Desk } from '../desk';
import { chooseTask } from './taskTarget';

/** Which tasks each decision is offered for. */
const SUITS: Readonly<Record<Verb, (task: ShownTask) => boolean>> = {
  retry: ({ task, reason }) => task.claim === undefined && reason.shown !== 'ready',
  accept: ({ reason }) => reason.shown === 'review',
  cancel: ({ reason }) => reason.shown !== 'completed' && reason.shown !== 'cancelled',
};

const TITLES: Readonly<Record<Verb, string>> = {
  retry: 'Retry Task',
  accept: 'Accept Task as Completed',
  cancel: 'Cancel Task',
};

/** What a person decides about one task. */
export async function decide(desk: Desk, target: unknown, verb: Verb): Promise<void> {
  const session = await desk.keeper.useSession();
  const id = await chooseTask(session, target, { title: TITLES[verb], suits: SUITS[verb] });
  if (id === null) return;
  await desk.keeper.change(async ({ site, queue }) => {
    await refuseInsideRun(site, queue, `${verb} tasks`);
    await queue.command(id, verb, site.host.createId());
  });
}
