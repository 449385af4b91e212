import { describeRehearsal } from '../../../app/present/rehearsal';
import { takeRehearsal } from '../../../app/checks/takeRehearsal';
import type { ExtensionServices } from '../../state/extensionServices';

/** Shows which of tonight's tasks never ran with their current permissions, and what was refused. Runs nothing. */
export async function rehearseTonight(services: ExtensionServices): Promise<void> {
  const session = await services.queueModel.useQueue();
  const rehearsed = await session.use(() => takeRehearsal(session.queueContext, session.queue));
  const text = describeRehearsal(rehearsed, () => 'allow it with "Allow Tools and Retry…"');
  await services.texts.show('Dry Run', `${text}\n`);
}
