import { describeRehearsal } from '../../../app/present/rehearsal';
import { takeRehearsal } from '../../../app/checks/takeRehearsal';
import type { Desk } from '../../state/extensionServices';

/** Shows which of tonight's tasks never ran with what they may do now, and what was refused. Nothing is run. */
export async function rehearseTonight(desk: Desk): Promise<void> {
  const session = await desk.keeper.useSession();
  const rehearsed = await session.use(() => takeRehearsal(session.site, session.queue));
  const text = describeRehearsal(rehearsed, () => 'allow it with "Allow Tools and Retry…"');
  await desk.texts.show('Rehearsal', `${text}\n`);
}
