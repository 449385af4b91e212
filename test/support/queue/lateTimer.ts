import { createEditorHost } from '../../../src/editor/state/editorHost';
import { QueueContext } from '../../../src/app/context/queueContext';
import type { QueueFolder } from './queuePlace';

const HOUR_MS = 3_600_000;

/** Records a timer that was installed an hour ago to start a worker each minute, and never did. */
export async function installLateTimer({ file, folder, env }: QueueFolder): Promise<void> {
  const host = createEditorHost(env, folder, () => undefined);
  const clock = { ...host.clock, now: () => host.clock.now() - HOUR_MS };
  const queueContext = new QueueContext({ queue: file, readOnly: true }, { ...host, clock });
  await queueContext.withQueue((queue) =>
    queue.recordTimer({ by: 'crontab', crons: ['* * * * *'] }, host.createId()),
  );
}
