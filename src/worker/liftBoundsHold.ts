import type { WorkerDeps } from './workerDeps';

/** Lifts a pause by the limits of an earlier run: it does not bind a new run. A pause by the user stays. */
export async function liftBoundsHold({ queue, createId, events }: WorkerDeps): Promise<void> {
  const { holds } = await queue.read();
  const ofBounds = holds.filter(({ by }) => by === 'bounds');
  if (ofBounds.length === 0) return;
  await queue.resume(createId(), { by: 'bounds' });
  for (const hold of ofBounds) events.lifted(hold);
}
